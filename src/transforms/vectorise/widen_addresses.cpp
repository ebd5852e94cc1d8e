// Addresses, and the extensions of subscripts they are made from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/widener.h"

namespace gridspan::transforms {

using namespace llvm;

/// Exact in the lanes that are here, so computed from one of them.
Value* Widener::write_extension(CastInst& cast) {
  Value* first = scalar(cast.getOperand(0));
  Type* type = cast.getType();
  std::int64_t stride = shapes_.of(&cast).stride;
  // What is not negative in the lanes that use it may be so in the first.
  auto bounded = shapes_.assumed().bounded.find(&cast);
  bool is_unsigned = bounded != shapes_.assumed().bounded.end()
                         ? !bounded->second.is_signed
                         : shapes_.of(cast.getOperand(0)).exact_unsigned;
  bool is_signed = cast.getOpcode() == Instruction::SExt || !is_unsigned;
  auto opcode = is_signed ? Instruction::SExt : Instruction::ZExt;
  if (!is_linear()) return builder_.CreateCast(opcode, first, type, cast.getName());
  Value* lane = first_lane(builder_, mask_, loop_.lanes);
  Value* narrow_lane = builder_.CreateZExtOrTrunc(lane, first->getType());
  Value* wide_lane = builder_.CreateZExtOrTrunc(lane, type);
  Value* there = builder_.CreateAdd(
      first, builder_.CreateMul(narrow_lane, ConstantInt::getSigned(first->getType(), stride)));
  return builder_.CreateSub(builder_.CreateCast(opcode, there, type),
                            builder_.CreateMul(wide_lane, ConstantInt::getSigned(type, stride)));
}

/// The first lane's number, extended, as a sum of what all vectors of a row share and what all rows
/// share, so that each is computed once. Only where no lane's sum wraps.
std::optional<Widener::Sum> Widener::split(Value* value, Instruction::CastOps opcode, Type* type) {
  auto extend = [&](Value* part) { return builder_.CreateCast(opcode, scalar(part), type); };
  auto join = [&](Value* a, Value* b) { return a && b ? builder_.CreateAdd(a, b) : a ? a : b; };
  Shape shape = shapes_.of(value);
  if (shape.is_uniform()) return Sum{extend(value), nullptr};
  bool is_signed = opcode == Instruction::SExt;
  if (!is_exact(value, is_signed)) return std::nullopt;
  auto* sum = dyn_cast<BinaryOperator>(value);
  if (!sum || sum->getOpcode() != Instruction::Add) return Sum{nullptr, extend(value)};
  Exactness kept = keeps_exact(*sum, shape.stride);
  if (!(is_signed ? kept.is_signed : kept.is_unsigned)) return Sum{nullptr, extend(value)};
  auto left = split(sum->getOperand(0), opcode, type);
  auto right = split(sum->getOperand(1), opcode, type);
  if (!left || !right) return Sum{nullptr, extend(value)};
  return Sum{join(left->uniform, right->uniform), join(left->strided, right->strided)};
}

/// Null: the subscript is no sum.
Value* Widener::write_split_address(GetElementPtrInst& address) {
  Value* base = address.getPointerOperand();
  if (address.getNumIndices() != 1 || !shapes_.of(base).is_uniform()) return nullptr;
  auto* cast = dyn_cast<CastInst>(address.getOperand(1));
  if (!cast || !isa<SExtInst, ZExtInst>(cast) || shapes_.is_linear(cast->getParent()))
    return nullptr;
  auto* operation = dyn_cast<BinaryOperator>(cast->getOperand(0));
  if (!operation || operation->getOpcode() != Instruction::Add) return nullptr;
  bool is_signed = isa<SExtInst>(cast) || !shapes_.of(cast->getOperand(0)).exact_unsigned;
  auto sum = split(cast->getOperand(0), is_signed ? Instruction::SExt : Instruction::ZExt,
                   cast->getType());
  if (!sum || !sum->uniform || !sum->strided) return nullptr;
  Type* element = address.getSourceElementType();
  Value* row = builder_.CreateGEP(element, scalar(base), sum->uniform);
  return builder_.CreateGEP(element, row, sum->strided, address.getName());
}

Value* Widener::write_address(GetElementPtrInst& address) {
  auto operand = [&](Value* value) {
    return shapes_.of(value).is_uniform() ? scalar(value) : vector(value);
  };
  Value* base = operand(address.getPointerOperand());
  SmallVector<Value*> indices;
  for (Value* index : address.indices()) indices.push_back(operand(index));
  return builder_.CreateGEP(address.getSourceElementType(), base, indices, address.getName(),
                            address.getNoWrapFlags());
}

}  // namespace gridspan::transforms
