// Blocks, masks and branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/widener.h"

#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/rounds.h"

#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;

Widener::Widener(const ThreadBody& body, const LoopInfo& loops, const Shapes& shapes,
                 const VectorLoop& vector)
    : body_(body),
      loops_(loops),
      shapes_(shapes),
      loop_(vector),
      context_(body.function->getContext()),
      builder_(context_),
      mask_type_(FixedVectorType::get(Type::getInt1Ty(context_), vector.lanes)) {}

BasicBlock* Widener::write() {
  make_places();
  declare_variables();
  for (BasicBlock* block : body_.order) write_block(*block);
  // Conditions that only told guards what to test.
  SmallVector<WeakTrackingVH> conditions;
  for (auto [original, made] : written_)
    if (made->getType()->isIntOrIntVectorTy(1)) conditions.emplace_back(made);
  for (WeakTrackingVH& condition : conditions)
    if (condition) RecursivelyDeleteTriviallyDeadInstructions(condition);
  return places_.lookup(body_.first).entry;
}

AllocaInst* Widener::variable(Type* type, const Twine& name) {
  Builder builder(loop_.variables->getTerminator());
  variables_.push_back(builder.CreateAlloca(type, nullptr, name));
  return variables_.back();
}

void Widener::make_places() {
  for (BasicBlock* block : body_.order) {
    BasicBlock* code =
        BasicBlock::Create(context_, block->getName() + ".lanes", body_.function, body_.header);
    BasicBlock* entry = code;
    if (is_entered_by_mask(*block)) {
      entry = BasicBlock::Create(context_, block->getName() + ".any", body_.function, code);
      masks_[block] = variable(mask_type_, block->getName() + ".mask");
    }
    places_[block] = {entry, code};
    if (rounds_around(*block, loops_) == block && !shapes_.is_linear(block))
      rests_[block] = BasicBlock::Create(context_, "way", body_.function, body_.header);
  }
  for (BasicBlock* block : body_.order)
    if (shapes_.is_linear(block)) places_[block].onward = onward(*block);
}

/// The outermost loop around linear `block` that all lanes in it leave together; null: none.
const Loop* Widener::joint_loop(const BasicBlock& block) const {
  const Loop* joint = nullptr;
  for (const Loop* loop = loops_.getLoopFor(&block); loop != body_.loop;
       loop = loop->getParentLoop())
    if (shapes_.is_linear(loop->getHeader()) &&
        none_of(loop->blocks(),
                [&](const BasicBlock* inside) { return shapes_.is_divergent(*inside); }))
      joint = loop;
  return joint;
}

bool Widener::is_entered_by_mask(const BasicBlock& block) const {
  if (!shapes_.is_linear(&block)) return false;
  const Loop* joint = joint_loop(block);
  return !joint || joint->getHeader() == &block;
}

BasicBlock* Widener::behind(const Loop& loop) const {
  unsigned position = body_.position.lookup(loop.getHeader());
  return places_.lookup(body_.order[position + loop.getNumBlocks()]).entry;
}

/// What follows linear `block`: another round of the loop it ends, or the next in order.
BasicBlock* Widener::onward(BasicBlock& block) const {
  unsigned position = body_.position.lookup(&block);
  Loop* loop = loops_.getLoopFor(&block);
  BasicBlock* header = loop->getHeader();
  bool ends_loop = loop != body_.loop && shapes_.is_linear(header) &&
                   body_.position.lookup(header) + loop->getNumBlocks() - 1 == position;
  return places_.lookup(ends_loop ? header : body_.order[position + 1]).entry;
}

void Widener::declare_variables() {
  for (BasicBlock* block : body_.order)
    for (Instruction& instruction : *block) {
      bool is_wide = shapes_.of(&instruction).is_varying();
      Type* type = is_wide ? widened(instruction.getType()) : instruction.getType();
      if (auto* phi = dyn_cast<PHINode>(&instruction))
        incoming_[phi] = variable(type, phi->getName() + ".in");
      // A linear block's code may be passed over, and linear blocks may be passed through on ways
      // that the value was not computed on.
      bool is_linear = shapes_.is_linear(block);
      bool strays = any_of(instruction.uses(), [&](const Use& use) {
        auto* user = cast<Instruction>(use.getUser());
        auto* phi = dyn_cast<PHINode>(user);
        if (phi && shapes_.is_linear(phi->getIncomingBlock(use))) return true;
        BasicBlock* at = user->getParent();
        return (at != block || phi) && (is_linear || shapes_.is_linear(at));
      });
      if (strays) kept_[&instruction] = variable(type, instruction.getName());
    }
}

void Widener::write_block(BasicBlock& block) {
  Place place = places_.lookup(&block);
  writing_ = &block;
  mask_ = nullptr;
  const Loop* joint = shapes_.is_linear(&block) ? joint_loop(block) : nullptr;
  if (is_entered_by_mask(block)) enter_linear(block);
  if (joint) {
    if (mask_) loop_masks_[joint] = mask_;
    mask_ = loop_masks_.lookup(joint);
  }
  builder_.SetInsertPoint(place.code);
  // Nothing comes from the vector before: else that would be carried around the loop over rows.
  if (&block == body_.first)
    for (auto [value, kept] : kept_)
      builder_.CreateStore(UndefValue::get(kept->getAllocatedType()), kept);
  Loop* loop = loops_.getLoopFor(&block);
  // Each round of a loop starts with no lane on its way.
  if (is_linear() && !joint && loop != body_.loop && loop->getHeader() == &block)
    forget_masks(loop->getBlocks());
  for (PHINode& phi : block.phis()) {
    AllocaInst* from = incoming_.lookup(&phi);
    define(phi, builder_.CreateLoad(from->getAllocatedType(), from, phi.getName()));
  }
  if (&block == body_.first) check_bounds();
  for (PHINode& phi : block.phis()) check_exact(phi);
  for (Instruction& instruction : block) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    write_instruction(instruction);
    check_early(instruction);
  }
  if (&block == body_.last)
    builder_.CreateBr(loop_.next);
  else if (joint)
    leave_in_loop(block);
  else if (is_linear())
    leave_linear(block);
  else
    leave_together(block);
}

unsigned Widener::first_of_run(unsigned position) const {
  while (position > 0 && shapes_.is_linear(body_.order[position - 1])) --position;
  return position;
}

unsigned Widener::end_of_run(unsigned position) const {
  while (shapes_.is_linear(body_.order[position])) ++position;  // the last block is not linear
  return position;
}

void Widener::forget_masks(ArrayRef<BasicBlock*> blocks) {
  for (BasicBlock* block : blocks) {
    if (AllocaInst* mask = masks_.lookup(block))
      builder_.CreateStore(Constant::getNullValue(mask_type_), mask);
    if (block == writing_) continue;
    for (PHINode& phi : block->phis()) {
      AllocaInst* into = incoming_.lookup(&phi);
      builder_.CreateStore(PoisonValue::get(into->getAllocatedType()), into);
    }
  }
}

/// All lanes are about to enter the run of linear blocks that `somewhere` belongs to.
void Widener::begin_linear(BasicBlock& somewhere) {
  unsigned position = body_.position.lookup(&somewhere);
  unsigned first = first_of_run(position), end = end_of_run(position);
  forget_masks(ArrayRef(body_.order).slice(first, end + 1 - first));
}

/// The lanes in `edge_mask` (null: all) are on their way to `to`.
void Widener::go(BasicBlock& from, BasicBlock& to, Value* edge_mask) {
  if (auto found = masks_.find(&to); found != masks_.end()) {
    Value* old = builder_.CreateLoad(mask_type_, found->second);
    Value* more = edge_mask ? edge_mask : Constant::getAllOnesValue(mask_type_);
    builder_.CreateStore(builder_.CreateOr(old, more), found->second);
  }
  carry(from, to, edge_mask);
}

void Widener::carry(BasicBlock& from, BasicBlock& to, Value* edge_mask) {
  // Nobody looks at what lanes outside a loop would carry into it.
  bool is_loop = loops_.getLoopFor(&to)->getHeader() == &to;
  for (PHINode& phi : to.phis()) {
    AllocaInst* into = incoming_.lookup(&phi);
    Value* incoming = phi.getIncomingValueForBlock(&from);
    bool is_wide = shapes_.of(&phi).is_varying();
    Value* value = is_wide ? vector(incoming) : scalar(incoming);
    if (edge_mask && !is_loop) {
      Value* old = builder_.CreateLoad(into->getAllocatedType(), into);
      Value* chosen = is_wide ? edge_mask : any_lane(builder_, edge_mask, loop_.lanes);
      value = builder_.CreateSelect(chosen, value, old);
    }
    builder_.CreateStore(value, into);
  }
}

Value* Widener::condition_mask(BranchInst& branch, unsigned successor, Value* mask) {
  if (branch.isUnconditional()) return mask;
  Value* condition = vector(branch.getCondition());
  return successor == 0 ? lanes_where(builder_, mask, condition)
                        : lanes_where_not(builder_, mask, condition);
}

void Widener::leave_linear(BasicBlock& block) {
  auto& branch = *cast<BranchInst>(block.getTerminator());
  if (branch.isConditional() && branch.getSuccessor(0) == branch.getSuccessor(1)) {
    go(block, *branch.getSuccessor(0), mask_);
  } else {
    for (unsigned i = 0; i < branch.getNumSuccessors(); ++i)
      go(block, *branch.getSuccessor(i), condition_mask(branch, i, mask_));
  }
  builder_.CreateBr(places_.lookup(&block).onward);
}

/// In a joint loop: lanes stay together until they leave it, for what is behind the loop.
void Widener::leave_in_loop(BasicBlock& block) {
  const Loop* joint = joint_loop(block);
  auto& branch = *cast<BranchInst>(block.getTerminator());
  SmallVector<BasicBlock*, 2> ways;
  for (unsigned i = 0; i < branch.getNumSuccessors(); ++i)
    ways.push_back(BasicBlock::Create(context_, "way", body_.function, body_.header));
  if (branch.isConditional())
    builder_.CreateCondBr(scalar(branch.getCondition()), ways[0], ways[1]);
  else
    builder_.CreateBr(ways[0]);
  for (auto [i, way] : enumerate(ways)) {
    BasicBlock* next = branch.getSuccessor(i);
    builder_.SetInsertPoint(way);
    if (joint->contains(next)) {
      carry(block, *next, nullptr);
      builder_.CreateBr(places_.lookup(next).code);
    } else {
      go(block, *next, mask_);
      builder_.CreateBr(behind(*joint));
    }
  }
}

/// Where to begin if all lanes go to `next`.
BasicBlock* Widener::start_together(BasicBlock& next) {
  if (!shapes_.is_linear(&next)) return places_.lookup(&next).entry;
  begin_linear(next);
  return places_.lookup(body_.order[first_of_run(body_.position.lookup(&next))]).entry;
}

void Widener::leave_together(BasicBlock& block) {
  auto& branch = *cast<BranchInst>(block.getTerminator());
  auto assumed = shapes_.assumed().taken.find(&branch);
  if (assumed != shapes_.assumed().taken.end()) {
    BasicBlock* to = branch.getSuccessor(assumed->second);
    auto* condition = dyn_cast<Instruction>(branch.getCondition());
    bool is_checked = condition && shapes_.assumed().early.contains(condition);
    if (&branch != body_.guard && !is_checked)  // else a whole vector
      require(all_find(branch.getCondition(), assumed->second == 0), branch);
    BasicBlock* start = start_together(*to);
    go(block, *to, nullptr);
    builder_.CreateBr(start);
    return;
  }
  if (shapes_.is_divergent(block)) {
    Value* all = Constant::getAllOnesValue(mask_type_);
    BasicBlock* linear = nullptr;
    for (BasicBlock* next : successors(&block))
      if (shapes_.is_linear(next)) linear = next;
    if (linear) begin_linear(*linear);
    for (unsigned i = 0; i < 2; ++i)
      go(block, *branch.getSuccessor(i), condition_mask(branch, i, all));
    BasicBlock* start =
        linear ? body_.order[first_of_run(body_.position.lookup(linear))] : branch.getSuccessor(0);
    builder_.CreateBr(places_.lookup(start).entry);
    return;
  }
  SmallVector<BasicBlock*, 2> targets;
  for (unsigned i = 0; i < branch.getNumSuccessors(); ++i) {  // each hands over in its own block
    BasicBlock* rest = i == 1 ? rests_.lookup(&block) : nullptr;
    targets.push_back(rest ? rest
                           : BasicBlock::Create(context_, "way", body_.function, body_.header));
  }
  if (branch.isConditional())
    builder_.CreateCondBr(scalar(branch.getCondition()), targets[0], targets[1]);
  else
    builder_.CreateBr(targets[0]);
  for (unsigned i = 0; i < targets.size(); ++i) {
    BasicBlock* next = branch.getSuccessor(i);
    builder_.SetInsertPoint(targets[i]);
    BasicBlock* start = start_together(*next);
    go(block, *next, nullptr);
    builder_.CreateBr(start);
  }
}

}  // namespace gridspan::transforms
