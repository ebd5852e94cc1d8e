// Whose lives overlap, stores and loads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/phi_variables.h"

#include "transforms/sync_points.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// For a phi, the end of the way that the value comes.
BasicBlock* block_of_use(const Use& use) {
  auto* user = cast<Instruction>(use.getUser());
  if (auto* phi = dyn_cast<PHINode>(user)) return phi->getIncomingBlock(use);
  return user->getParent();
}

BasicBlock::iterator behind(Instruction& value) {
  return isa<PHINode>(value) ? value.getParent()->getFirstInsertionPt()
                             : std::next(value.getIterator());
}

class PhiVariable {
 public:
  PhiVariable(PHINode& phi, const Segments& kernel, SegmentOf segment_of)
      : phi_(phi), kernel_(kernel), segment_of_(segment_of) {}

  AllocaInst* make();

 private:
  bool can_share(Instruction& value, const BasicBlock& from) const;
  bool is_wanted_behind(const Instruction& value) const;
  void find_shared();
  void load(Instruction& value);

  PHINode& phi_;
  const Segments& kernel_;
  SegmentOf segment_of_;
  Instruction* shared_ = nullptr;  // comes from `from_`
  BasicBlock* from_ = nullptr;
  AllocaInst* variable_ = nullptr;
};

/// The phi is used somewhere between `value` and the phi's next round.
bool PhiVariable::is_wanted_behind(const Instruction& value) const {
  const BasicBlock* home = value.getParent();
  SmallPtrSet<const BasicBlock*, 32> behind;
  SmallVector<const BasicBlock*> open{home};
  while (!open.empty())
    for (const BasicBlock* next : successors(open.pop_back_val()))
      if (next != phi_.getParent() && behind.insert(next).second) open.push_back(next);
  return any_of(phi_.uses(), [&](const Use& use) {
    const BasicBlock* block = block_of_use(use);
    if (behind.contains(block)) return true;
    auto* user = cast<Instruction>(use.getUser());
    return block == home && user != &value && (isa<PHINode>(user) || value.comesBefore(user));
  });
}

/// Between `value` and where it comes into the phi, nobody else needs the variable: not the old
/// value, and no other that comes in.
bool PhiVariable::can_share(Instruction& value, const BasicBlock& from) const {
  const BasicBlock* home = value.getParent();
  if (home == phi_.getParent() && isa<PHINode>(value)) return false;
  if (as_sync_point(value)) return false;  // ends its block: nothing is stored behind it
  if (kernel_.in_block->is_uniform(&value)) return false;     // the skeleton's
  if (segment_of_(home) == segment_of_(&from)) return false;  // stored there anyway
  const Loop* loop = kernel_.loops.getLoopFor(home);
  if (loop && !loop->contains(&from)) return false;  // not once a round
  for (const BasicBlock* other : phi_.blocks())
    if (other != &from && kernel_.dominators.dominates(home, other)) return false;
  return !is_wanted_behind(value);
}

void PhiVariable::find_shared() {
  // A store at the end of a way that leads elsewhere, too, would come too early.
  if (any_of(phi_.blocks(), [](const BasicBlock* from) { return !from->getSingleSuccessor(); }))
    return;
  for (unsigned i = 0; i < phi_.getNumIncomingValues(); ++i) {
    auto* value = dyn_cast<Instruction>(phi_.getIncomingValue(i));
    BasicBlock* from = phi_.getIncomingBlock(i);
    if (!value || !can_share(*value, *from)) continue;
    shared_ = value;
    from_ = from;
    return;
  }
}

/// What other segments use of `value`.
void PhiVariable::load(Instruction& value) {
  const Segment* home = segment_of_(value.getParent());
  DenseMap<const Segment*, Value*> loads;
  for (Use& use : make_early_inc_range(value.uses())) {
    const Segment* segment = segment_of_(block_of_use(use));
    if (segment == home || !segment) continue;
    Value*& loaded = loads[segment];
    if (!loaded) {
      BasicBlock& first = segment->first();
      loaded = IRBuilder<>(&first, first.getFirstInsertionPt())
                   .CreateLoad(value.getType(), variable_, value.getName());
    }
    use.set(loaded);
  }
}

AllocaInst* PhiVariable::make() {
  find_shared();
  if (!shared_) return DemotePHIToStack(&phi_);
  BasicBlock& entry = phi_.getFunction()->getEntryBlock();
  variable_ = IRBuilder<>(&entry, entry.begin())
                  .CreateAlloca(phi_.getType(), nullptr, phi_.getName() + ".reg2mem");
  for (unsigned i = 0; i < phi_.getNumIncomingValues(); ++i) {
    BasicBlock* from = phi_.getIncomingBlock(i);
    if (from != from_)
      IRBuilder<>(from->getTerminator()).CreateStore(phi_.getIncomingValue(i), variable_);
  }
  IRBuilder<>(shared_->getParent(), behind(*shared_)).CreateStore(shared_, variable_);
  phi_.setIncomingValueForBlock(from_, PoisonValue::get(phi_.getType()));
  load(phi_);
  load(*shared_);
  BasicBlock& block = *phi_.getParent();
  auto* loaded = IRBuilder<>(&block, block.getFirstInsertionPt())
                     .CreateLoad(phi_.getType(), variable_, phi_.getName());
  phi_.replaceAllUsesWith(loaded);
  phi_.eraseFromParent();
  return variable_;
}

}  // namespace

AllocaInst* make_phi_variable(PHINode& phi, const Segments& kernel, SegmentOf segment_of) {
  return PhiVariable(phi, kernel, segment_of).make();
}

}  // namespace gridspan::transforms
