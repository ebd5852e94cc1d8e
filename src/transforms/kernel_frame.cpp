// Which values and variables need the frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/kernel_frame.h"

#include "transforms/live_values.h"
#include "transforms/stack_variables.h"

#include "llvm/Analysis/CFG.h"

namespace gridspan::transforms {

using namespace llvm;

/// The variable's contents cannot outlive one run of one piece: it may stay on the stack.
static bool stays_in_one_piece(AllocaInst& memory, ArrayRef<RegionBlocks> pieces) {
  if (pieces.size() == 1) return true;
  bool escapes = false;
  SmallPtrSet<BasicBlock*, 8> used_in;
  for (Instruction* user : users_through_pointers(memory, escapes))
    used_in.insert(user->getParent());
  if (escapes) return false;
  const RegionBlocks* owner = nullptr;
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an ArrayRef of several
  for (const RegionBlocks& blocks : pieces) {
    if (none_of(used_in, [&](BasicBlock* block) { return blocks.contains(block); })) continue;
    if (owner) return false;
    owner = &blocks;
  }
  if (!owner || owner == &pieces.front()) return true;
  BasicBlock* entry = owner->front();
  SmallVector<BasicBlock*> next(successors(entry));
  if (next.empty()) return true;
  return !is_contained(next, entry) &&
         !isPotentiallyReachableFromMany(next, entry, nullptr, nullptr, nullptr);
}

FramedKernel frame_values(Function& kernel, ArrayRef<RegionBlocks> pieces,
                          const ValuesElsewhere& elsewhere) {
  SmallVector<BasicBlock*> entries;
  for (const RegionBlocks& piece : pieces.drop_front()) entries.push_back(piece.front());
  FramedKernel made;
  made.frame.variables = stack_variables(kernel);
  repeat_cheap_values(kernel, entries, elsewhere.at_hand, elsewhere.everywhere);
  LiveValues live(kernel);
  DenseMap<Instruction*, AllocaInst*> slot_of;
  std::vector<SetVector<Instruction*>> live_into;
  SetVector<Instruction*> order;
  for (BasicBlock* entry : entries) {
    live_into.push_back(live.live_into(*entry));
    live_into.back().remove_if([&](Instruction* value) { return elsewhere.at_hand(value); });
    order.insert(live_into.back().begin(), live_into.back().end());
  }
  made.frame.slots = demote_values(order.getArrayRef());
  for (auto [value, slot] : zip(order, made.frame.slots)) slot_of[value] = slot;
  made.live.resize(1);
  for (const SetVector<Instruction*>& values : live_into) {
    made.live.emplace_back();
    for (Instruction* value : values) made.live.back().insert(slot_of.at(value));
  }
  std::vector<AllocaInst*> in_frame = made.frame.slots;
  for (AllocaInst* memory : made.frame.variables) {
    if (!elsewhere.is_shared(memory) && stays_in_one_piece(*memory, pieces)) continue;
    erase_lifetime_markers(*memory);
    in_frame.push_back(memory);
  }
  made.frame.layout = lay_out_frame(in_frame);
  return made;
}

}  // namespace gridspan::transforms
