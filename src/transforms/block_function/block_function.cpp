// Prepares the kernel's values and writes its segments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/block_function.h"

#include "transforms/block_function/skeleton_writer.h"
#include "transforms/kernel_frame.h"
#include "transforms/stack_variables.h"

#include "llvm/IR/IntrinsicInst.h"

#include <deque>

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Worth being there twice.
bool is_short(const Segment& segment) {
  constexpr std::size_t most_instructions = 600;
  std::size_t count = 0;
  for (const BasicBlock* block : segment.blocks) count += block->sizeWithoutDebug();
  return count <= most_instructions;
}

/// The values of a segment that runs warp by warp.
struct WarpValues {
  WarpValues(const Segment& segment, SkeletonValues made)
      : whole(segment), values(std::move(made)) {}
  const Segment& whole;
  SkeletonValues values;
  DenseMap<const Cut*, WarpExchange> exchanges;
};

class BlockFunctionBuilder {
 public:
  BlockFunctionBuilder(Function& kernel, Segments& segments, const Twine& name)
      : kernel_(kernel),
        segments_(segments),
        name_(name.str()),
        values_(segments.all, *segments.in_block) {}

  std::optional<BlockFunction> build();

 private:
  void take_out_barriers();
  void find_values();
  bool misses_something() const;
  void take_out_exchanges(const Segment& segment, WarpValues& warp);
  bool is_at_hand(const Value* value) const;
  bool is_everywhere(const Value* value) const;
  bool is_exchanged(const AllocaInst* memory) const;
  bool is_place(const AllocaInst* memory) const;
  bool is_column(const AllocaInst* memory) const;
  bool begins_anew(AllocaInst& memory, const Segment& whole) const;
  SmallVector<AllocaInst*> columns_in(const Segment& part, const Segment& whole) const;
  SlotSet live_after(const Segment& segment) const;
  bool has_work(const Segment& segment, const WarpValues* warp) const;
  bool is_own(Instruction& value, const Segment& segment, const WarpValues* warp) const;
  bool is_skeletons(const Instruction& instruction, const WarpValues* warp) const;
  void collect(const Segment& segment, const WarpValues* warp, SegmentCode& code) const;
  void take_values(const Segment& segment, const WarpValues* warp, const SegmentCode& code,
                   RegionWriter& writer) const;
  void link_exits(const Segment& segment, RegionWriter& writer) const;
  SegmentCode write_segment(const Segment& segment, const WarpValues* warp, Instruction* presence);
  SegmentCode write_warps(const Segment& segment, const WarpValues& warp);
  SegmentCode write_warps(const Segment& segment, const WarpValues& warp, bool some_left);

  Function& kernel_;
  Segments& segments_;
  std::string name_;
  SkeletonValues values_;
  DenseMap<const Cut*, BlockVote> votes_;
  std::deque<WarpValues> warps_;
  DenseMap<const Segment*, WarpValues*> warps_of_;
  DenseMap<const BasicBlock*, unsigned> number_;  // of the segment (in the end) that begins there
  FramedKernel framed_;
  RegionDebugInfo debug_{kernel_};
  BlockFunction made_{};
};

/// A skeleton branches on something, computes with it, or sends to such a lane, that it does not
/// have: rather none at all.
bool BlockFunctionBuilder::misses_something() const {
  auto misses = [&](const Value* value, const SkeletonValues* warp) {
    return isa_and_nonnull<Instruction>(value) && !values_.has(value) &&
           !(warp && warp->has(value));
  };
  for (const Segment& segment : segments_.all)
    if (misses(segment.condition(), nullptr)) return true;
  if (values_.misses_operands()) return true;
  for (const WarpValues& warp : warps_) {
    if (warp.values.misses_operands()) return true;
    for (const Segment& part : warp.whole.warp)
      if (warp.whole.decides_behind(part) && misses(part.condition(), &warp.values)) return true;
    for (const auto& [cut, exchange] : warp.exchanges)
      if (!exchange.lanes && misses(exchange.lane, &warp.values)) return true;
  }
  return false;
}

std::optional<BlockFunction> BlockFunctionBuilder::build() {
  take_out_barriers();
  find_values();
  if (misses_something()) return std::nullopt;
  std::vector<RegionBlocks> pieces;
  auto add = [&](const Segment& segment) {
    number_[&segment.first()] = pieces.size();
    pieces.push_back(segment.blocks);
  };
  for (const Segment& segment : segments_.all) {
    if (segment.warp.empty()) add(segment);
    for (const Segment& part : segment.warp) add(part);
  }
  auto at_hand = [this](const Value* value) { return is_at_hand(value); };
  auto everywhere = [this](const Value* value) { return is_everywhere(value); };
  auto is_shared = [this](const AllocaInst* memory) {
    return is_exchanged(memory) || is_place(memory) || is_column(memory);
  };
  framed_ = frame_values(kernel_, pieces, {at_hand, everywhere, is_shared});
  made_.frame_bytes = framed_.frame.layout.bytes;
  std::vector<SegmentCode> codes;
  for (const Segment& segment : segments_.all) {
    WarpValues* warp = warps_of_.lookup(&segment);
    codes.push_back(warp ? write_warps(segment, *warp)
                         : write_segment(segment, nullptr, segment.presence));
    auto vote = votes_.find(segment.cut);
    if (vote != votes_.end()) codes.back().vote = &vote->second;
  }
  made_.function = write_block_skeleton(
      kernel_,
      {segments_.all, codes, &values_, &framed_.frame.layout, &debug_, segments_.returns.there},
      name_ + ".block");
  kernel_.deleteBody();
  return made_;
}

void BlockFunctionBuilder::take_out_barriers() {
  for (const Cut& cut : segments_.cuts) {
    if (!abi::is_block_wide(cut.kind)) continue;
    CallInst& call = sync_call(cut);
    if (!call.use_empty() && is_block_vote(call)) {
      votes_[&cut] = take_out_vote(cut);
      values_.add_exchanged(call);
    } else {
      call.eraseFromParent();
    }
  }
}

void BlockFunctionBuilder::find_values() {
  values_.demote_phis(segments_);
  for (const Segment& segment : segments_.all) {
    if (segment.warp.empty()) continue;
    WarpValues& warp = warps_.emplace_back(
        segment, SkeletonValues(segment.warp, *segments_.in_warp, &segment, &values_));
    warps_of_[&segment] = &warp;
    warp.values.demote_phis(segments_);
    take_out_exchanges(segment, warp);
  }
  values_.find();
  for (WarpValues& warp : warps_) warp.values.find();
  values_.make_places();
  for (WarpValues& warp : warps_) warp.values.make_places();
}

void BlockFunctionBuilder::take_out_exchanges(const Segment& segment, WarpValues& warp) {
  for (const Segment& part : segment.warp) {
    if (!part.cut || abi::is_block_wide(part.cut->kind)) continue;
    WarpExchange exchange = take_out(*part.cut, *segments_.in_warp, [&](const Instruction& value) {
      return !warp.values.is_used_outside(value);
    });
    if (exchange.result) warp.values.add_exchanged(*exchange.result);
    if (exchange.same) warp.values.add_uniform(*exchange.same);
    warp.exchanges[part.cut] = exchange;
  }
}

bool BlockFunctionBuilder::is_at_hand(const Value* value) const {
  return values_.has(value) ||
         any_of(warps_, [&](const WarpValues& warp) { return warp.values.has(value); });
}

/// Any segment can have it; what is found between warp operations may be wanted before it is known.
bool BlockFunctionBuilder::is_everywhere(const Value* value) const {
  if (values_.is_computed(value)) return true;
  return values_.is_fetched(value) && none_of(warps_, [&](const WarpValues& warp) {
           return warp.values.is_inside(*cast<Instruction>(value));
         });
}

/// Lanes send or receive through it.
bool BlockFunctionBuilder::is_exchanged(const AllocaInst* memory) const {
  return any_of(warps_, [&](const WarpValues& warp) {
    return any_of(warp.exchanges, [&](const auto& one) {
      const WarpExchange& exchange = one.second;
      return is_contained({exchange.in, exchange.mask, exchange.lanes, exchange.out, exchange.flag},
                          memory);
    });
  });
}

SlotSet BlockFunctionBuilder::live_after(const Segment& segment) const {
  SlotSet live;
  auto add = [&](const BasicBlock* next) {
    const SlotSet& slots = framed_.live[number_.lookup(next)];
    live.insert(slots.begin(), slots.end());
  };
  if (segment.next) {
    add(segment.next);
  } else {
    for (const BasicBlock* next : successors(&segment.last())) add(next);
  }
  return live;
}

/// Skeletons compute it, not the segment it stands in.
bool BlockFunctionBuilder::is_skeletons(const Instruction& instruction,
                                        const WarpValues* warp) const {
  return values_.is_computed(&instruction) || values_.is_exchanged(&instruction) ||
         (warp &&
          (warp->values.is_computed(&instruction) || warp->values.is_exchanged(&instruction)));
}

/// Something is left that no skeleton does.
bool BlockFunctionBuilder::has_work(const Segment& segment, const WarpValues* warp) const {
  for (const BasicBlock* block : segment.blocks)
    for (const Instruction& instruction : *block) {
      if (values_.is_fetched(&instruction) || (warp && warp->values.is_fetched(&instruction)))
        return true;
      if (!is_skeletons(instruction, warp) && !isa<DbgInfoIntrinsic>(instruction) &&
          !instruction.isTerminator() &&
          (instruction.mayHaveSideEffects() || instruction.mayWriteToMemory()))
        return true;
    }
  return false;
}

/// The segment finds the value itself.
bool BlockFunctionBuilder::is_own(Instruction& value, const Segment& segment,
                                  const WarpValues* warp) const {
  return segment.blocks.contains(value.getParent()) && !is_skeletons(value, warp);
}

void BlockFunctionBuilder::collect(const Segment& segment, const WarpValues* warp,
                                   SegmentCode& code) const {
  SetVector<Value*> wants;
  for (BasicBlock* block : segment.blocks)
    for (Instruction& instruction : *block)
      if (warp ? warp->values.is_fetched(&instruction) : values_.is_fetched(&instruction))
        code.finds.push_back(&instruction);
  for (BasicBlock* block : segment.blocks)
    for (Instruction& instruction : *block) {
      if (is_skeletons(instruction, warp)) continue;
      if (instruction.isTerminator() && block == &segment.last() && segment.ends_with_last())
        continue;
      for (Value* operand : instruction.operands())
        if (auto* value = dyn_cast<Instruction>(operand);
            value && is_at_hand(value) && !is_own(*value, segment, warp))
          wants.insert(value);
    }
  code.wants.append(wants.begin(), wants.end());
}

/// The skeletons' values take the place of instructions.
void BlockFunctionBuilder::take_values(const Segment& segment, const WarpValues* warp,
                                       const SegmentCode& code, RegionWriter& writer) const {
  SmallVector<Instruction*> left;
  for (BasicBlock* block : segment.blocks)
    for (Instruction& instruction : *block)
      if (is_skeletons(instruction, warp)) {
        left.push_back(cast<Instruction>(writer.map()[&instruction]));
        writer.map()[&instruction] = PoisonValue::get(instruction.getType());
      }
  for (Instruction* twin : left) twin->eraseFromParent();
  Argument* argument = writer.more();
  for (Value* value : code.wants) {
    argument->setName(value->getName());
    writer.map()[value] = argument++;
  }
}

void BlockFunctionBuilder::link_exits(const Segment& segment, RegionWriter& writer) const {
  const SlotSet live = live_after(segment);
  for (BasicBlock* block : segment.blocks) {
    BasicBlock& copy = writer.copy_of(*block);
    if (block == &segment.last() && segment.ends_with_last()) {
      writer.leave(copy, live);
      continue;
    }
    Instruction* end = copy.getTerminator();
    for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
      if (!number_.contains(end->getSuccessor(i))) continue;
      auto* way = BasicBlock::Create(kernel_.getContext(), "leave", &writer.function());
      writer.leave(*way, live);
      end->setSuccessor(i, way);
    }
  }
}

/// A skeleton reads it.
bool BlockFunctionBuilder::is_place(const AllocaInst* memory) const {
  return values_.is_place(memory) ||
         any_of(warps_, [&](const WarpValues& warp) { return warp.values.is_place(memory); });
}

/// The block's skeleton reads all threads' copies.
bool BlockFunctionBuilder::is_column(const AllocaInst* memory) const {
  return memory == segments_.returns.there ||
         any_of(votes_, [&](const auto& one) { return one.second.votes == memory; });
}

/// Nothing in the variable outlives one run of the segment.
bool BlockFunctionBuilder::begins_anew(AllocaInst& memory, const Segment& whole) const {
  if (values_.is_place(&memory)) return false;  // the block's skeleton looks into the frame
  if (is_exchanged(&memory) || is_place(&memory)) return true;
  if (any_of(warps_, [&](const WarpValues& warp) { return warp.values.is_phi(&memory); }))
    return true;
  return is_contained(framed_.frame.slots, &memory) &&
         !framed_.live[number_.lookup(&whole.first())].contains(&memory);
}

/// Variables of the frame that are used in `part` of a segment that runs warp by warp, and nowhere
/// else than in that segment: the next warp may have their place.
SmallVector<AllocaInst*> BlockFunctionBuilder::columns_in(const Segment& part,
                                                          const Segment& whole) const {
  SmallVector<AllocaInst*> columns;
  auto is_in = [](const Segment& segment, const User* user) {
    auto* block = const_cast<BasicBlock*>(cast<Instruction>(user)->getParent());
    return segment.blocks.contains(block);
  };
  bool escapes = false;
  for (const auto& [memory, slot] : framed_.frame.layout.slots) {
    auto users = users_through_pointers(*memory, escapes);
    if (any_of(users, [&](User* user) { return is_in(part, user); }) &&
        all_of(users, [&](User* user) { return is_in(whole, user); }) &&
        begins_anew(*memory, whole))
      columns.push_back(memory);
  }
  return columns;
}

/// `warp`: of a skeleton of warps that the segment belongs to; null: of the block's. `presence` as
/// in Segment.
SegmentCode BlockFunctionBuilder::write_segment(const Segment& segment, const WarpValues* warp,
                                                Instruction* presence) {
  SegmentCode code;
  if (warp) code.columns = columns_in(segment, warp->whole);
  if (segment.cut && warp && !abi::is_block_wide(segment.cut->kind))
    code.exchange = &warp->exchanges.find(segment.cut)->second;
  if (!has_work(segment, warp)) return code;
  collect(segment, warp, code);
  RegionParameters parameters;
  parameters.threads = warp ? RegionThreads::warp : RegionThreads::block;
  for (Value* value : code.wants) parameters.more.push_back(value->getType());
  parameters.columns = code.columns;
  const unsigned number = number_.lookup(&segment.first());
  RegionWriter writer(kernel_, framed_.frame, debug_, segment.blocks,
                      name_ + ".segment." + Twine(number), parameters);
  take_values(segment, warp, code, writer);
  link_exits(segment, writer);
  writer.finish(segment.first(), framed_.live[number], presence);
  code.function = &writer.function();
  code.function->addFnAttr(Attribute::AlwaysInline);
  made_.loops.push_back(code.function);
  return code;
}

/// A warp that some lanes have left costs several times as much as a whole one, and most blocks are
/// whole (`if (i >= n) return;`): so there is code for them, too.
SegmentCode BlockFunctionBuilder::write_warps(const Segment& segment, const WarpValues& warp) {
  SegmentCode code = write_warps(segment, warp, segment.presence != nullptr);
  if (segment.presence && is_short(segment))
    code.all_there = write_warps(segment, warp, false).function;
  return code;
}

SegmentCode BlockFunctionBuilder::write_warps(const Segment& segment, const WarpValues& warp,
                                              bool some_left) {
  std::vector<SegmentCode> codes;
  for (const Segment& part : segment.warp)
    codes.push_back(write_segment(part, &warp, some_left ? part.presence : nullptr));
  const char* const kind = segment.presence && !some_left ? ".whole_warps." : ".warps.";
  return write_warp_skeleton(kernel_, segment,
                             {segment.warp, codes, &warp.values, &framed_.frame.layout, &debug_,
                              some_left ? segments_.returns.there : nullptr},
                             values_, name_ + kind + Twine(number_.lookup(&segment.first())));
}

}  // namespace

std::optional<BlockFunction> make_block_function(Function& kernel, Segments& segments,
                                                 const Twine& name) {
  return BlockFunctionBuilder(kernel, segments, name).build();
}

}  // namespace gridspan::transforms
