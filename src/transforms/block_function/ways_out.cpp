// Reachability and copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/ways_out.h"

#include "transforms/sync_points.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::transforms {

using namespace llvm;

BlockSet reaching(const BlockSet& blocks) {
  BlockSet found = blocks;
  SmallVector<BasicBlock*> open(blocks.begin(), blocks.end());
  while (!open.empty())
    for (BasicBlock* from : predecessors(open.pop_back_val()))
      if (found.insert(from).second) open.push_back(from);
  return found;
}

SetVector<BasicBlock*> work_behind(BasicBlock& block, BasicBlock& exit) {
  SetVector<BasicBlock*> found;
  if (&block != &exit) found.insert(&block);
  for (unsigned i = 0; i < found.size(); ++i)
    for (BasicBlock* next : successors(found[i]))
      if (next != &exit) found.insert(next);
  return found;
}

bool can_copy(const SetVector<BasicBlock*>& work) {
  constexpr std::size_t most_instructions = 300;
  std::size_t count = 0;
  for (BasicBlock* block : work) {
    count += block->size();
    for (Instruction& instruction : *block) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      if (isa<AllocaInst>(instruction) || instruction.getType()->isTokenTy() ||
          as_sync_point(instruction) || (call && (call->cannotDuplicate() || call->isConvergent())))
        return false;
    }
  }
  return count <= most_instructions;
}

BasicBlock* copy_work(const SetVector<BasicBlock*>& work, BasicBlock& from, BasicBlock& exit,
                      BasicBlock& gone) {
  if (work.empty()) return &gone;
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*> copied;
  for (BasicBlock* block : work) {
    copied.push_back(CloneBasicBlock(block, copies, ".out", gone.getParent()));
    copies[block] = copied.back();
  }
  for (BasicBlock* block : work)
    for (PHINode& phi : block->phis()) {
      auto& twin = cast<PHINode>(*copies[&phi]);
      twin.removeIncomingValueIf(
          [&](unsigned i) {
            BasicBlock* way = twin.getIncomingBlock(i);
            return way != &from && !work.contains(way);
          },
          /*DeletePHIIfEmpty=*/false);
    }
  remapInstructionsInBlocks(copied, copies);
  for (BasicBlock* block : copied) block->getTerminator()->replaceSuccessorWith(&exit, &gone);
  return copied.front();
}

}  // namespace gridspan::transforms
