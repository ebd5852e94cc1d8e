// From one kernel function to its region functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/regions.h"

#include "abi/launch.h"
#include "abi/module.h"
#include "transforms/block_function/block_function.h"
#include "transforms/block_function/flags.h"
#include "transforms/block_function/prefetch.h"
#include "transforms/context.h"
#include "transforms/grid_rounds.h"
#include "transforms/kernel_frame.h"
#include "transforms/linear_threads.h"
#include "transforms/merged_votes.h"
#include "transforms/parallel_loop.h"
#include "transforms/region_writer.h"
#include "transforms/shared_context.h"
#include "transforms/sync_cuts.h"
#include "transforms/sync_points.h"
#include "transforms/thread_functions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstddef>
#include <map>

namespace gridspan::transforms {

using namespace llvm;
using abi::BlockContext;

namespace {

/// Builds the functions of one kernel's regions.
class RegionBuilder {
 public:
  RegionBuilder(Function& kernel, std::vector<Cut> cuts, const JoinedBlocks& joined,
                Function* ordinary)
      : kernel_(kernel), cuts_(std::move(cuts)), joined_(joined), ordinary_(ordinary) {
    for (unsigned i = 0; i < cuts_.size(); ++i) region_after_[cuts_[i].before] = i + 1;
  }

  RegionKernel build() {
    blocks_.push_back(blocks_of_region(kernel_.getEntryBlock()));
    for (const Cut& cut : cuts_) blocks_.push_back(blocks_of_region(*cut.continuation));
    auto none = [](const Value*) { return false; };
    framed_ = frame_values(kernel_, blocks_, {none, none, none});
    RegionKernel result;
    result.frame_bytes = framed_.frame.layout.bytes;
    result.regions.push_back(build_region(0));
    for (unsigned i = 0; i < cuts_.size(); ++i) {
      RegionCode code = build_region(i + 1);
      code.kind = cuts_[i].kind;
      code.where = cuts_[i].where;
      result.regions.push_back(code);
    }
    for (const RegionCode& region : result.regions) result.loops.push_back(region.function);
    if (cuts_.empty() && result.regions.front().only_successor == abi::exited)
      result.forms.push_back({result.regions.front().function, 0, {}, joined_});
    return result;
  }

 private:
  RegionBlocks blocks_of_region(BasicBlock& entry) const;
  RegionCode build_region(unsigned number);
  StoreInst* leave(RegionWriter& writer, BasicBlock& copy, unsigned successor) const;

  Function& kernel_;
  std::vector<Cut> cuts_;
  JoinedBlocks joined_;
  Function* ordinary_;                            // of grid_rounds.h; null: there are no rounds
  DenseMap<BasicBlock*, unsigned> region_after_;  // block that ends at a sync point → region
  std::vector<RegionBlocks> blocks_;              // of each region
  RegionDebugInfo debug_{kernel_};
  FramedKernel framed_;
};

RegionBlocks RegionBuilder::blocks_of_region(BasicBlock& entry) const {
  RegionBlocks blocks;
  blocks.insert(&entry);
  for (unsigned i = 0; i < blocks.size(); ++i) {
    if (region_after_.contains(blocks[i])) continue;
    for (BasicBlock* next : successors(blocks[i])) blocks.insert(next);
  }
  return blocks;
}

/// Ends the copy: live values to the frame, where the thread waits to next[t], next thread.
StoreInst* RegionBuilder::leave(RegionWriter& writer, BasicBlock& copy, unsigned successor) const {
  static const SlotSet none;
  IRBuilder<> builder(
      writer.leave(copy, successor == abi::exited ? none : framed_.live[successor]));
  Value* next = builder.getInt16(successor);
  return builder.CreateStore(
      next, thread_entry_of(builder, offsetof(BlockContext, next), next->getType()));
}

RegionCode RegionBuilder::build_region(unsigned number) {
  RegionParameters parameters;
  parameters.joined = joined_.threads != 0;
  RegionWriter writer(kernel_, framed_.frame, debug_, blocks_[number],
                      kernel_.getName() + ".region." + Twine(number), parameters);
  SmallSetVector<unsigned, 4> successors;
  SmallVector<StoreInst*> next_stores;
  for (BasicBlock* block : blocks_[number]) {
    auto found = region_after_.find(block);
    if (found == region_after_.end() && !isa<ReturnInst>(block->getTerminator())) continue;
    unsigned successor = found != region_after_.end() ? found->second : abi::exited;
    successors.insert(successor);
    next_stores.push_back(leave(writer, writer.copy_of(*block), successor));
  }
  // With one way out nobody reads next[t].
  bool single = successors.size() == 1;
  if (single)
    for (StoreInst* store : next_stores) store->eraseFromParent();
  writer.finish(*blocks_[number].front(), framed_.live[number]);
  if (ordinary_) write_grid_rounds(writer, *ordinary_);
  if (cuts_.empty()) writer.function().addFnAttr(without_barriers);
  // A region none of whose paths ends (they all trap) still needs an answer: it never comes back.
  std::uint16_t successor = successors.empty() ? abi::exited
                            : single           ? static_cast<std::uint16_t>(successors[0])
                                               : abi::many_successors;
  return {&writer.function(), successor, abi::SyncKind::barrier, {}};
}

/// Kernels of more instructions are not compiled for whole warps.
constexpr unsigned most_for_whole_warps = 2500;

/// Lanes at steps go on in the order of regions. What is no step keeps its place among the others.
std::vector<Cut> in_order_of_steps(ArrayRef<Cut> cuts) {
  std::multimap<std::uint32_t, Cut> sorted;
  for (const Cut& cut : cuts) sorted.emplace(cut.step, cut);
  std::vector<Cut> ordered;
  for (auto& [step, cut] : sorted) ordered.push_back(cut);
  return ordered;
}

/// `ordinary`: of rows in which numbers may wrap, if the kernel is a round (grid_rounds.h).
RegionKernel cut_everywhere(Function& kernel, const JoinedBlocks& joined = {},
                            Function* ordinary = nullptr) {
  merge_votes(kernel);
  std::vector<Cut> cuts = split_at_sync_points(kernel);
  lower_sync_points(cuts);
  return RegionBuilder(kernel, in_order_of_steps(cuts), joined, ordinary).build();
}

}  // namespace

/// Of a copy, since it may fail half-way.
struct RegionCut::WholeBlock {
  Function* copy;  // null: it is a block function, or a reason
  std::vector<Cut> cuts;
  std::unique_ptr<Segments> segments;
  bool needs_whole_warps = false;
  std::optional<BlockFunction> made;
  std::optional<Reason> why_not;
};

RegionCut::RegionCut(Function& kernel, const RegionOptions& options)
    : kernel_(kernel), options_(options) {}

RegionCut::~RegionCut() = default;

void RegionCut::prepare() {
  removeUnreachableBlocks(kernel_);
  ask_context_once(kernel_);
  has_sync_points_ = any_of(instructions(kernel_),
                            [](Instruction& one) { return as_sync_point(one).has_value(); });
}

/// Of the kernel, to be changed.
static Function* copy_of(Function& kernel, const Twine& suffix = "") {
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&kernel, map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setName(kernel.getName() + suffix);
  return copy;
}

void RegionCut::find_grid_rounds() {
  if (has_sync_points_) return;
  Function* copy = copy_of(kernel_, ".one_by_one");
  if (take_out_grid_rounds(kernel_))
    thread_by_thread_ = copy;
  else
    copy->eraseFromParent();
}

void RegionCut::join() {
  if (has_sync_points_) return;
  joined_ = join_blocks(kernel_, options_.joined);
  if (thread_by_thread_ && joined_.threads != 0) join_blocks(*thread_by_thread_, options_.joined);
}

void RegionCut::find_sync_points() {
  if (!has_sync_points_) return;
  Function* copy = copy_of(kernel_);
  whole_ =
      std::make_unique<WholeBlock>(WholeBlock{copy, split_at_sync_points(*copy), {}, {}, {}, {}});
}

void RegionCut::express_flags() {
  if (whole_) transforms::express_flags(*whole_->copy, whole_->cuts);
}

void RegionCut::give_up(Reason why) {
  whole_->why_not = std::move(why);
  drop_copy();
}

void RegionCut::drop_copy() {
  whole_->segments.reset();
  whole_->copy->deleteBody();
  whole_->copy->eraseFromParent();
  whole_->copy = nullptr;
}

void RegionCut::find_segments() {
  if (!whole_) return;
  FoundSegments found = transforms::find_segments(*whole_->copy, std::move(whole_->cuts));
  if (auto* reason = std::get_if<Reason>(&found)) return give_up(std::move(*reason));
  whole_->segments = std::move(std::get<std::unique_ptr<Segments>>(found));
  whole_->needs_whole_warps = whole_->segments->has_warps();
}

void RegionCut::refuse_warps() {
  if (!whole_ || !whole_->needs_whole_warps) return;
  const bool is_large = kernel_.getInstructionCount() > most_for_whole_warps;
  if (allows_whole_warps_ && !is_large) return;
  give_up({source_line(kernel_), is_large ? "too much code to be compiled for whole warps"
                                          : "blocks have no whole warps"});
}

void RegionCut::prefetch() {
  if (!whole_ || !whole_->copy) return;
  prefetch_next_rounds(*whole_->segments);
  prefetch_next_blocks(*whole_->segments);
}

void RegionCut::write_block_function() {
  if (!whole_ || !whole_->copy) return;
  whole_->made = make_block_function(*whole_->copy, *whole_->segments, kernel_.getName());
  if (!whole_->made) return give_up({source_line(kernel_), "shared accesses are found too late"});
  drop_copy();
}

/// Regions that the run time leads, unless the block function makes them needless.
void RegionCut::cut() {
  if (!whole_) {
    Function* ordinary = nullptr;
    if (thread_by_thread_) {
      ordinary = cut_everywhere(*thread_by_thread_, joined_).regions.front().function;
      ordinary->addFnAttr(seldom_runs);
      ordinary->addFnAttr(Attribute::NoInline);
      thread_by_thread_->eraseFromParent();
    }
    made_ = cut_everywhere(kernel_, joined_, ordinary);
    made_.has_grid_rounds = ordinary != nullptr;
    if (ordinary) made_.loops.push_back(ordinary);
    return;
  }
  const auto& block = whole_->made;
  const bool needs_whole_warps = whole_->needs_whole_warps;
  if (options_.regions && (!block || needs_whole_warps)) made_ = cut_everywhere(kernel_);
  made_.has_spare_regions = options_.regions && block && needs_whole_warps;
  if (!block) {
    made_.why_cut = whole_->why_not;
    return;
  }
  if (options_.regions && !needs_whole_warps)
    made_.regions.push_back({block->function, abi::exited, abi::SyncKind::barrier, {}});
  const std::uint32_t warps =
      has_linear_threads(kernel_) ? abi::needs_linear_warps : abi::needs_whole_warps;
  made_.forms.push_back({block->function, needs_whole_warps ? warps : 0, {}, {}});
  append_range(made_.loops, block->loops);
  made_.frame_bytes = std::max(made_.frame_bytes, block->frame_bytes);
}

RegionKernel RegionCut::take() {
  kernel_.deleteBody();
  return std::move(made_);
}

}  // namespace gridspan::transforms
