// Finds the splats in front of a loop, and writes each in front of its uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/sink_splats.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

struct Splat {
  ShuffleVectorInst* spread;
  InsertElementInst* insert;
  LoadInst* load;
};

/// What holds at the end of the block in front of `place`.
MemoryAccess* memory_at(Instruction& place, MemorySSA& memory) {
  for (Instruction* before = place.getPrevNode(); before; before = before->getPrevNode())
    if (auto* def = dyn_cast_or_null<MemoryDef>(memory.getMemoryAccess(before))) return def;
  for (BasicBlock* block = place.getParent();;) {
    if (MemoryPhi* phi = memory.getMemoryAccess(block)) return phi;
    auto* node = memory.getDomTree().getNode(block)->getIDom();
    if (!node) return memory.getLiveOnEntryDef();
    block = node->getBlock();
    if (const auto* defs = memory.getBlockDefs(block))
      return const_cast<MemoryAccess*>(&*defs->rbegin());
  }
}

/// Nothing between the load and `place` may have written what it loads.
bool is_unchanged(LoadInst& load, Instruction& place, MemorySSA& memory) {
  MemorySSAWalker& walker = *memory.getWalker();
  MemoryAccess* there =
      walker.getClobberingMemoryAccess(memory_at(place, memory), MemoryLocation::get(&load));
  return there == walker.getClobberingMemoryAccess(&load);
}

/// The first user in each block.
SmallVector<Instruction*> first_users(Instruction& value) {
  SmallDenseMap<BasicBlock*, Instruction*> first;
  for (User* user : value.users()) {
    auto* instruction = cast<Instruction>(user);
    Instruction*& known = first[instruction->getParent()];
    if (!known || instruction->comesBefore(known)) known = instruction;
  }
  SmallVector<Instruction*> all;
  for (auto [block, user] : first) all.push_back(user);
  return all;
}

/// Of a number that is loaded outside the loop and used nowhere but in it.
std::optional<Splat> find_splat(ShuffleVectorInst& spread, const Loop& loop, MemorySSA& memory) {
  auto* insert = dyn_cast<InsertElementInst>(spread.getOperand(0));
  auto* load = insert ? dyn_cast<LoadInst>(getSplatValue(&spread)) : nullptr;
  if (!load || insert->getOperand(1) != load || !load->isSimple() || loop.contains(&spread) ||
      loop.contains(load))
    return std::nullopt;
  for (User* user : spread.users()) {
    auto* instruction = cast<Instruction>(user);
    if (!loop.contains(instruction) || isa<PHINode>(instruction)) return std::nullopt;
  }
  for (Instruction* user : first_users(spread))
    if (!is_unchanged(*load, *user, memory)) return std::nullopt;
  return Splat{&spread, insert, load};
}

void sink(const Splat& splat) {
  for (Instruction* user : first_users(*splat.spread)) {
    Instruction* load = splat.load->clone();
    Instruction* insert = splat.insert->clone();
    Instruction* spread = splat.spread->clone();
    for (Instruction* copy : {load, insert, spread}) copy->insertBefore(user);
    insert->setOperand(1, load);
    spread->setOperand(0, insert);
    splat.spread->replaceUsesWithIf(spread, [&](Use& use) {
      return cast<Instruction>(use.getUser())->getParent() == user->getParent();
    });
  }
}

bool sink_into(const Loop& loop, MemorySSA& memory, unsigned most_held) {
  SmallSetVector<ShuffleVectorInst*, 32> candidates;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block)
      for (Value* operand : instruction.operands())
        if (auto* spread = dyn_cast<ShuffleVectorInst>(operand); spread && !loop.contains(spread))
          candidates.insert(spread);
  if (candidates.size() <= most_held) return false;
  SmallVector<Splat> splats;
  for (ShuffleVectorInst* spread : candidates)
    if (auto splat = find_splat(*spread, loop, memory)) splats.push_back(*splat);
  if (splats.size() <= most_held) return false;
  // Those with most uses stay in registers.
  SmallVector<std::pair<unsigned, unsigned>> order;  // uses, how far from the end
  for (auto [i, splat] : enumerate(splats))
    order.emplace_back(splat.spread->getNumUses(), static_cast<unsigned>(splats.size() - i));
  sort(order, std::greater<>());
  for (auto [uses, from_end] : drop_begin(order, most_held)) sink(splats[splats.size() - from_end]);
  return true;
}

}  // namespace

bool sink_splats(LoopInfo& loops, MemorySSA& memory, unsigned registers) {
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) changed |= sink_into(*loop, memory, registers / 2);
  return changed;
}

}  // namespace gridspan::transforms
