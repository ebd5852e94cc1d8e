// Atomic updates: one after the other in the order of lanes, or one for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_atomics.h"
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/widener.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// How many updates become one, and the operand that changes nothing.
struct Joining {
  Intrinsic::ID reduction;
  APInt nothing;
};

/// Nothing: their order counts, as with floating-point numbers.
std::optional<Joining> joining_of(const AtomicRMWInst& update) {
  if (!update.getType()->isIntegerTy()) return std::nullopt;
  unsigned bits = update.getType()->getIntegerBitWidth();
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
      return Joining{Intrinsic::vector_reduce_add, APInt::getZero(bits)};
    case AtomicRMWInst::And:
      return Joining{Intrinsic::vector_reduce_and, APInt::getAllOnes(bits)};
    case AtomicRMWInst::Or:
      return Joining{Intrinsic::vector_reduce_or, APInt::getZero(bits)};
    case AtomicRMWInst::Xor:
      return Joining{Intrinsic::vector_reduce_xor, APInt::getZero(bits)};
    case AtomicRMWInst::Max:
      return Joining{Intrinsic::vector_reduce_smax, APInt::getSignedMinValue(bits)};
    case AtomicRMWInst::Min:
      return Joining{Intrinsic::vector_reduce_smin, APInt::getSignedMaxValue(bits)};
    case AtomicRMWInst::UMax:
      return Joining{Intrinsic::vector_reduce_umax, APInt::getZero(bits)};
    case AtomicRMWInst::UMin:
      return Joining{Intrinsic::vector_reduce_umin, APInt::getAllOnes(bits)};
    default:
      return std::nullopt;
  }
}

}  // namespace

bool is_joint_update(const Shapes& shapes, const Instruction& instruction) {
  auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  return update && update->use_empty() && !update->isVolatile() && joining_of(*update) &&
         shapes.of(update->getPointerOperand()).is_uniform();
}

/// Nobody asks what was there before, so one update of what all lanes together would do.
void Widener::write_joint_update(AtomicRMWInst& update) {
  Joining joining = *joining_of(update);
  Value* all = vector(update.getValOperand());
  if (is_linear())
    all = builder_.CreateSelect(mask_, all, ConstantInt::get(all->getType(), joining.nothing));
  Instruction* one = update.clone();
  one->setOperand(0, scalar(update.getPointerOperand()));
  one->setOperand(1, builder_.CreateUnaryIntrinsic(joining.reduction, all));
  builder_.Insert(one);
}

/// What each lane does is little: no loop if all are here.
Value* Widener::write_shared_update(AtomicRMWInst& update) {
  if (!is_linear()) return write_updates_in_row(update);
  if (!update.use_empty()) return write_each_lane(update);
  auto block = [&](const char* name) {
    return BasicBlock::Create(context_, name, body_.function, body_.header);
  };
  BasicBlock *all = block("all_lanes"), *some = block("some_lanes"), *done = block("updated");
  builder_.CreateCondBr(all_lanes(builder_, mask_, loop_.lanes), all, some);
  builder_.SetInsertPoint(all);
  Value* nothing = write_updates_in_row(update);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(some);
  write_each_lane(update);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
  return nothing;
}

Value* Widener::write_updates_in_row(AtomicRMWInst& update) {
  auto* type = cast<VectorType>(widened(update.getType()));
  Value* result = PoisonValue::get(type);
  for (unsigned lane = 0; lane < loop_.lanes; ++lane) {
    Instruction* one = builder_.Insert(copy_of_lane(update, builder_.getInt32(lane), update));
    if (!update.use_empty()) result = builder_.CreateInsertElement(result, one, lane);
  }
  return result;
}

Value* Widener::write_update(AtomicRMWInst& update) {
  if (is_joint_update(shapes_, update)) {
    write_joint_update(update);
    return PoisonValue::get(widened(update.getType()));
  }
  if (is_shared_atomic(update)) return write_shared_update(update);
  return write_each_lane(update);
}

}  // namespace gridspan::transforms
