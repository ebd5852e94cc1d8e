// From one kernel function to its region functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/regions.h"

#include "abi/launch.h"
#include "abi/module.h"
#include "transforms/block_function/block_function.h"
#include "transforms/block_function/prefetch.h"
#include "transforms/context.h"
#include "transforms/kernel_frame.h"
#include "transforms/region_writer.h"
#include "transforms/sync_cuts.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstddef>

namespace gridspan::transforms {

using namespace llvm;
using abi::BlockContext;

namespace {

/// Builds the functions of one kernel's regions.
class RegionBuilder {
 public:
  RegionBuilder(Function& kernel, std::vector<Cut> cuts) : kernel_(kernel), cuts_(std::move(cuts)) {
    for (unsigned i = 0; i < cuts_.size(); ++i) region_after_[cuts_[i].before] = i + 1;
  }

  RegionKernel build() {
    blocks_.push_back(blocks_of_region(kernel_.getEntryBlock()));
    for (const Cut& cut : cuts_) blocks_.push_back(blocks_of_region(*cut.continuation));
    framed_ = frame_values(kernel_, blocks_, [](const Value*) { return false; });
    RegionKernel result;
    result.frame_bytes = framed_.frame.layout.bytes;
    result.regions.push_back(build_region(0));
    for (unsigned i = 0; i < cuts_.size(); ++i) {
      RegionCode code = build_region(i + 1);
      code.kind = cuts_[i].kind;
      code.where = cuts_[i].where;
      result.regions.push_back(code);
    }
    kernel_.deleteBody();
    return result;
  }

 private:
  RegionBlocks blocks_of_region(BasicBlock& entry) const;
  RegionCode build_region(unsigned number);
  StoreInst* leave(RegionWriter& writer, BasicBlock& copy, unsigned successor) const;

  Function& kernel_;
  std::vector<Cut> cuts_;
  DenseMap<BasicBlock*, unsigned> region_after_;  // block that ends at a sync point → region
  std::vector<RegionBlocks> blocks_;              // of each region
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
  RegionWriter writer(kernel_, framed_.frame, blocks_[number],
                      kernel_.getName() + ".region." + Twine(number));
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
  // A region none of whose paths ends (they all trap) still needs an answer: it never comes back.
  std::uint16_t successor = successors.empty() ? abi::exited
                            : single           ? static_cast<std::uint16_t>(successors[0])
                                               : abi::many_successors;
  return {&writer.function(), successor, abi::SyncKind::barrier, {}};
}

}  // namespace

RegionKernel cut_into_regions(Function& kernel, const RegionOptions& options) {
  removeUnreachableBlocks(kernel);
  std::vector<Cut> cuts = cut_at_sync_points(kernel);
  FoundSegments segments = Reason{};
  bool tries = options.whole_blocks && !cuts.empty();
  if (tries) segments = find_segments(kernel, cuts);
  if (!options.debug_info) stripDebugInfo(kernel);  // not earlier: the cuts know their lines
  if (auto* found = std::get_if<std::unique_ptr<Segments>>(&segments)) {
    prefetch_next_rounds(**found);
    return make_block_function(kernel, **found);
  }
  removeUnreachableBlocks(kernel);
  RegionKernel pieces = RegionBuilder(kernel, std::move(cuts)).build();
  if (tries) pieces.why_cut = std::get<Reason>(std::move(segments));
  return pieces;
}

}  // namespace gridspan::transforms
