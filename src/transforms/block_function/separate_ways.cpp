// Who comes to which hanging blocks, and copies for all but the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/separate_ways.h"

#include "transforms/block_function/segment_finder.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

using Blocks = SetVector<BasicBlock*>;

/// Instructions copied in one kernel.
constexpr unsigned most_copied = 500;

class WaySeparator {
 public:
  WaySeparator(Function& kernel, ArrayRef<Cut> cuts, const PostDominatorTree& post_dominators)
      : kernel_(kernel), post_dominators_(post_dominators) {
    for (const Cut& cut : cuts) {
      if (abi::is_block_wide(cut.kind)) barriers_.insert(cut.before);
      cut_.insert(cut.before);
      cut_.insert(cut.continuation);
    }
  }

  bool run();

 private:
  bool is_skeletons(BasicBlock& block) const;
  void find_hanging();
  Blocks reach(BasicBlock& common) const;
  bool may_copy(const Blocks& shared);
  void copy(BasicBlock& common, const Blocks& own, const Blocks& shared);
  void mend_values(const Blocks& shared, ValueToValueMapTy& copies);

  Function& kernel_;
  const PostDominatorTree& post_dominators_;
  SmallPtrSet<BasicBlock*, 16> barriers_, cut_;  // end at barriers; stand at any sync point
  SmallPtrSet<BasicBlock*, 32> hanging_;
  unsigned copied_ = 0;
};

bool WaySeparator::is_skeletons(BasicBlock& block) const {
  return any_of(blocks_between(block, post_dominators_),
                [&](BasicBlock* one) { return barriers_.contains(one); });
}

void WaySeparator::find_hanging() {
  for (BasicBlock& block : kernel_)
    if (block.getTerminator()->getNumSuccessors() > 1 && !is_skeletons(block))
      for (BasicBlock* one : blocks_between(block, post_dominators_)) hanging_.insert(one);
}

/// Blocks that hang behind `common`.
Blocks WaySeparator::reach(BasicBlock& common) const {
  Blocks found;
  auto add = [&](BasicBlock* from) {
    for (BasicBlock* to : successors(from))
      if (hanging_.contains(to)) found.insert(to);
  };
  add(&common);
  for (unsigned i = 0; i < found.size(); ++i) add(found[i]);
  return found;
}

bool WaySeparator::may_copy(const Blocks& shared) {
  for (BasicBlock* block : shared) {
    if (cut_.contains(block)) return false;
    for (const Instruction& instruction : *block) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      if (call && call->cannotDuplicate()) return false;
      if (instruction.getType()->isTokenTy()) return false;
    }
    copied_ += block->size();
  }
  return copied_ <= most_copied;
}

/// Uses that either form's value may now come to: behind the shared blocks, and in them, too, where
/// a loop around barriers leads from one form to the other.
void WaySeparator::mend_values(const Blocks& shared, ValueToValueMapTy& copies) {
  for (BasicBlock* block : shared)
    for (Instruction& value : *block) {
      auto* twin = cast<Instruction>(copies[&value]);
      SmallVector<Use*> elsewhere;
      for (Instruction* one : {&value, twin})
        for (Use& use : one->uses()) {
          auto* user = cast<Instruction>(use.getUser());
          auto* phi = dyn_cast<PHINode>(user);
          if (phi || user->getParent() != one->getParent()) elsewhere.push_back(&use);
        }
      if (elsewhere.empty()) continue;
      SSAUpdater updater;
      updater.Initialize(value.getType(), value.getName());
      updater.AddAvailableValue(block, &value);
      updater.AddAvailableValue(twin->getParent(), twin);
      for (Use* use : elsewhere) updater.RewriteUse(*use);
    }
}

/// From `common` and the blocks that only it comes to, ways go to a copy of the `shared` ones.
void WaySeparator::copy(BasicBlock& common, const Blocks& own, const Blocks& shared) {
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*> copied;
  for (BasicBlock* block : shared) {
    copied.push_back(CloneBasicBlock(block, copies, ".way", &kernel_));
    copies[block] = copied.back();
  }
  auto is_ours = [&](BasicBlock* block) {
    return block == &common || (own.contains(block) && !shared.contains(block));
  };
  for (BasicBlock* block : shared) {
    auto* twin = cast<BasicBlock>(copies[block]);
    for (PHINode& here : block->phis()) {
      auto& there = cast<PHINode>(*copies[&here]);
      there.removeIncomingValueIf(
          [&](unsigned i) {
            BasicBlock* from = there.getIncomingBlock(i);
            return !is_ours(from) && !shared.contains(from);
          },
          /*DeletePHIIfEmpty=*/false);
      here.removeIncomingValueIf([&](unsigned i) { return is_ours(here.getIncomingBlock(i)); },
                                 /*DeletePHIIfEmpty=*/false);
    }
    // What comes behind can be reached from the twin, too.
    for (BasicBlock* next : successors(block))
      if (!shared.contains(next))
        for (PHINode& phi : next->phis()) {
          Value* value = phi.getIncomingValueForBlock(block);
          Value* copied_value = copies.lookup(value);
          phi.addIncoming(copied_value ? copied_value : value, twin);
        }
  }
  remapInstructionsInBlocks(copied, copies);
  auto redirect = [&](BasicBlock* from) {
    Instruction* end = from->getTerminator();
    for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
      if (shared.contains(end->getSuccessor(i)))
        end->setSuccessor(i, cast<BasicBlock>(copies[end->getSuccessor(i)]));
  };
  redirect(&common);
  for (BasicBlock* block : own)
    if (!shared.contains(block)) redirect(block);
  mend_values(shared, copies);
}

bool WaySeparator::run() {
  find_hanging();
  SmallVector<BasicBlock*> common;
  for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&kernel_))
    if (!hanging_.contains(block) && !barriers_.contains(block)) common.push_back(block);
  SmallPtrSet<BasicBlock*, 32> taken;
  bool changed = false;
  for (BasicBlock* block : common) {
    Blocks own = reach(*block), shared;
    for (BasicBlock* one : own)
      if (taken.contains(one)) shared.insert(one);
    if (shared.empty()) {
      taken.insert(own.begin(), own.end());
      continue;
    }
    if (!may_copy(shared)) return changed;
    copy(*block, own, shared);
    taken.insert(own.begin(), own.end());
    changed = true;
  }
  return changed;
}

}  // namespace

bool separate_ways(Function& kernel, ArrayRef<Cut> cuts, const PostDominatorTree& post_dominators) {
  return WaySeparator(kernel, cuts, post_dominators).run();
}

}  // namespace gridspan::transforms
