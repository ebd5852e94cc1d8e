// What one lane needs for its turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     atomicAdd(&bins[keys[i]], 1)
//
// Lanes take turns at the update. A vector of keys would be loaded to be taken apart again, which
// costs more than the updates: each lane loads its own key in its turn.
#include "transforms/vectorise/widener.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Nothing that may write stands between a load and its use in the same block.
bool is_unchanged_until(const LoadInst& load, const Instruction& use) {
  for (const Instruction* next = load.getNextNode(); next != &use; next = next->getNextNode())
    if (!next || (next->mayWriteToMemory() && !is_prefetch(*next))) return false;
  return true;
}

}  // namespace

/// Nobody but `turn`, an instruction of the same block, wants `value`, which is loaded from
/// an address that is the same for all lanes, or strided, and a little arithmetic.
bool Widener::is_for_turn(const Value* value, const Instruction& turn, unsigned depth) const {
  constexpr unsigned deepest = 6;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !shapes_.of(value).is_varying() || !instruction->hasOneUse() ||
      instruction->getParent() != turn.getParent() || depth > deepest)
    return false;
  if (auto* load = dyn_cast<LoadInst>(instruction))
    return load->isSimple() && !shapes_.of(load->getPointerOperand()).is_varying() &&
           is_unchanged_until(*load, turn);
  // Selects: shifts by 32 or more are.
  const bool is_arithmetic =
      isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst>(instruction) &&
      !instruction->isIntDivRem();
  const Value* varying = nullptr;
  for (const Value* operand : instruction->operand_values()) {
    if (!shapes_.of(operand).is_varying()) continue;
    if (varying) return false;
    varying = operand;
  }
  return is_arithmetic && varying && is_for_turn(varying, turn, depth + 1);
}

/// The value in `lane`, i32, which is here and whose turn it is.
Value* Widener::of_lane(Value* value, Value* lane, const Instruction& turn) {
  const Shape shape = shapes_.of(value);
  if (shape.is_uniform()) return scalar(value);
  if (shape.kind == Shape::strided) {
    Value* first = scalar(value);
    const bool is_pointer = first->getType()->isPointerTy();
    Type* type = is_pointer ? builder_.getInt64Ty() : first->getType();
    Value* steps = builder_.CreateMul(builder_.CreateZExtOrTrunc(lane, type),
                                      ConstantInt::getSigned(type, shape.stride));
    return is_pointer ? builder_.CreateGEP(builder_.getInt8Ty(), first, steps)
                      : builder_.CreateAdd(first, steps);
  }
  if (!is_for_turn(value, turn)) return builder_.CreateExtractElement(vector(value), lane);
  return builder_.Insert(copy_of_lane(*cast<Instruction>(value), lane, turn), value->getName());
}

Instruction* Widener::copy_of_lane(Instruction& instruction, Value* lane, const Instruction& turn) {
  SmallVector<Value*, 4> operands;  // first: a copy is another user of them
  for (Value* operand : instruction.operands()) operands.push_back(of_lane(operand, lane, turn));
  Instruction* copy = instruction.clone();
  for (auto [i, operand] : enumerate(operands)) copy->setOperand(i, operand);
  return copy;
}

}  // namespace gridspan::transforms
