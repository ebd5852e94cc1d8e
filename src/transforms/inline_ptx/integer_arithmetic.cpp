// add, sub, mul, mad, sad, min, max, div, rem, abs, neg, dp4a, dp2a; carries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/lowering.h"
#include "transforms/inline_ptx/real.h"

#include "llvm/IR/Intrinsics.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

/// CC.CF as an integer of `bits` bits.
Value* carry_in(Lowering& l, unsigned bits) {
  Value* flag = l.builder.CreateLoad(l.builder.getInt1Ty(), l.state().carry_flag());
  return l.builder.CreateZExt(flag, l.builder.getIntNTy(bits));
}

/// `sum` has twice the bits of the result; what lies above the result is the carry or the borrow.
static Value* split_carry(Lowering& l, Value* sum, unsigned bits, bool keeps_carry) {
  if (keeps_carry)
    l.builder.CreateStore(
        l.builder.CreateTrunc(l.builder.CreateLShr(sum, bits), l.builder.getInt1Ty()),
        l.state().carry_flag());
  return l.builder.CreateTrunc(sum, l.builder.getIntNTy(bits));
}

struct CarryUse {
  bool reads, writes;
};
static CarryUse carry_use(Lowering& l, bool reads) { return {reads, l.take("cc")}; }

static Value* sum(Lowering& l, Value* a, Value* b, bool subtracts, CarryUse carry) {
  if (!carry.reads && !carry.writes)
    return subtracts ? l.builder.CreateSub(a, b) : l.builder.CreateAdd(a, b);
  const unsigned bits = a->getType()->getIntegerBitWidth();
  Type* wide = l.builder.getIntNTy(2 * bits);
  Value* wide_a = l.builder.CreateZExt(a, wide);
  Value* wide_b = l.builder.CreateZExt(b, wide);
  Value* total =
      subtracts ? l.builder.CreateSub(wide_a, wide_b) : l.builder.CreateAdd(wide_a, wide_b);
  if (carry.reads) {
    Value* flag = carry_in(l, 2 * bits);
    total = subtracts ? l.builder.CreateSub(total, flag) : l.builder.CreateAdd(total, flag);
  }
  return split_carry(l, total, bits, carry.writes);
}

static void add_or_subtract(Lowering& l) {
  const bool subtracts = l.name() == "sub" || l.name() == "subc";
  const DataType type = l.type();
  if (!type.is_integer()) return real_sum(l, type, subtracts);
  Value* a = l.value(l.operand(1), type);
  Value* b = l.value(l.operand(2), type);
  if (l.take("sat")) {
    if (!type.is_signed() || type.bits != 32) l.fail();
    l.set(l.operand(0), l.builder.CreateBinaryIntrinsic(
                            subtracts ? Intrinsic::ssub_sat : Intrinsic::sadd_sat, a, b));
    return;
  }
  const CarryUse carry = carry_use(l, l.name().ends_with("c"));
  l.set(l.operand(0), sum(l, a, b, subtracts, carry), type.is_signed());
}

enum class Part { low, high, wide };

static Part part(Lowering& l, const DataType& type) {
  if (l.take("hi")) return Part::high;
  if (l.take("wide")) {
    if (type.bits > 32) l.fail();
    return Part::wide;
  }
  if (!l.take("lo")) l.fail();
  return Part::low;
}

static Value* product(Lowering& l, const DataType& type, Part part) {
  Value* a = l.value(l.operand(1), type);
  Value* b = l.value(l.operand(2), type);
  if (part == Part::low) return l.builder.CreateMul(a, b);
  Type* wide = l.builder.getIntNTy(2 * type.bits);
  Value* all = l.builder.CreateMul(l.builder.CreateIntCast(a, wide, type.is_signed()),
                                   l.builder.CreateIntCast(b, wide, type.is_signed()));
  if (part == Part::wide) return all;
  return l.builder.CreateTrunc(l.builder.CreateLShr(all, type.bits), a->getType());
}

static void multiply(Lowering& l) {
  const DataType type = l.type();
  if (!type.is_integer()) return real_product(l, type);
  const Part which = part(l, type);
  l.set(l.operand(0), product(l, type, which), type.is_signed());
}

static void multiply_add(Lowering& l) {
  const DataType type = l.type();
  if (!type.is_integer()) return real_fma(l, type);
  const Part which = part(l, type);
  DataType wide = type;
  if (which == Part::wide) wide.bits *= 2;
  const bool saturates = l.take("sat");
  const CarryUse carry = carry_use(l, l.name() == "madc");
  Value* scaled = product(l, type, which);
  Value* addend = l.value(l.operand(3), wide);
  if (saturates && (which != Part::high || type.bits != 32 || !type.is_signed())) l.fail();
  l.set(l.operand(0),
        saturates ? l.builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, scaled, addend)
                  : sum(l, scaled, addend, false, carry),
        type.is_signed());
}

/// mul24, mad24: the low 24 bits of each factor; .hi is bits 16 to 47 of the product.
static void multiply_24(Lowering& l) {
  const DataType type = l.type();
  const bool high = l.take("hi");
  if (!high && !l.take("lo")) l.fail();
  auto factor = [&](std::size_t index) {
    Value* low = l.builder.CreateTrunc(l.value(l.operand(index), type), l.builder.getIntNTy(24));
    return l.builder.CreateIntCast(low, l.builder.getInt64Ty(), type.is_signed());
  };
  Value* all = l.builder.CreateMul(factor(1), factor(2));
  Value* result =
      l.builder.CreateTrunc(high ? l.builder.CreateLShr(all, 16) : all, l.builder.getInt32Ty());
  if (l.name() == "mad24") result = l.builder.CreateAdd(result, l.value(l.operand(3), type));
  l.set(l.operand(0), result);
}

static void absolute_difference(Lowering& l) {
  const DataType type = l.type();
  Value* a = l.value(l.operand(1), type);
  Value* b = l.value(l.operand(2), type);
  Value* less = type.is_signed() ? l.builder.CreateICmpSLT(a, b) : l.builder.CreateICmpULT(a, b);
  Value* difference =
      l.builder.CreateSelect(less, l.builder.CreateSub(b, a), l.builder.CreateSub(a, b));
  l.set(l.operand(0), l.builder.CreateAdd(difference, l.value(l.operand(3), type)),
        type.is_signed());
}

static void choose_extreme(Lowering& l) {
  const bool smaller = l.name() == "min";
  const DataType type = l.type();
  if (!type.is_integer()) return real_extreme(l, type, smaller);
  const Intrinsic::ID id = type.is_signed() ? (smaller ? Intrinsic::smin : Intrinsic::smax)
                                            : (smaller ? Intrinsic::umin : Intrinsic::umax);
  Value* result =
      l.builder.CreateBinaryIntrinsic(id, l.value(l.operand(1), type), l.value(l.operand(2), type));
  if (l.take("relu"))
    result = l.builder.CreateBinaryIntrinsic(Intrinsic::smax, result,
                                             Constant::getNullValue(result->getType()));
  l.set(l.operand(0), result, type.is_signed());
}

static void divide(Lowering& l) {
  const DataType type = l.type();
  if (!type.is_integer()) return real_quotient(l, type);
  Value* a = l.value(l.operand(1), type);
  Value* b = l.value(l.operand(2), type);
  llvm::Instruction::BinaryOps operation;
  if (l.name() == "div")
    operation = type.is_signed() ? llvm::Instruction::SDiv : llvm::Instruction::UDiv;
  else
    operation = type.is_signed() ? llvm::Instruction::SRem : llvm::Instruction::URem;
  l.set(l.operand(0), l.builder.CreateBinOp(operation, a, b), type.is_signed());
}

static void absolute_or_negative(Lowering& l) {
  const DataType type = l.type();
  if (!type.is_integer()) return real_sign(l, type);
  Value* a = l.value(l.operand(1), type);
  Value* negative = l.builder.CreateNeg(a);
  Value* is_negative = l.builder.CreateICmpSLT(a, Constant::getNullValue(a->getType()));
  l.set(l.operand(0),
        l.name() == "neg" ? negative : l.builder.CreateSelect(is_negative, negative, a), true);
}

/// dp4a.atype.btype d, a, b, c: four products of bytes; dp2a: halfwords of a and bytes of b.
static void dot_product(Lowering& l) {
  const bool halfwords = l.name() == "dp2a";
  const bool high = halfwords && l.take("hi");
  if (halfwords && !high && !l.take("lo")) l.fail();
  const DataType left = l.type(), right = l.type();
  auto lane = [&](Value* word, unsigned index, unsigned bits, const DataType& type) {
    Value* bits_of_lane =
        l.builder.CreateTrunc(l.builder.CreateLShr(word, index * bits), l.builder.getIntNTy(bits));
    return l.builder.CreateIntCast(bits_of_lane, l.builder.getInt32Ty(), type.is_signed());
  };
  Value* a = l.integer(l.operand(1), 32);
  Value* b = l.integer(l.operand(2), 32);
  Value* total = l.integer(l.operand(3), 32);
  for (unsigned i = 0; i < (halfwords ? 2u : 4u); ++i)
    total = l.builder.CreateAdd(total, l.builder.CreateMul(lane(a, i, halfwords ? 16 : 8, left),
                                                           lane(b, high ? i + 2 : i, 8, right)));
  l.set(l.operand(0), total);
}

void add_integer_arithmetic(Handlers& handlers) {
  for (const char* name : {"add", "addc", "sub", "subc"}) handlers[name] = add_or_subtract;
  handlers["mul"] = multiply;
  for (const char* name : {"mad", "madc"}) handlers[name] = multiply_add;
  for (const char* name : {"mul24", "mad24"}) handlers[name] = multiply_24;
  handlers["sad"] = absolute_difference;
  for (const char* name : {"min", "max"}) handlers[name] = choose_extreme;
  for (const char* name : {"div", "rem"}) handlers[name] = divide;
  for (const char* name : {"abs", "neg"}) handlers[name] = absolute_or_negative;
  for (const char* name : {"dp4a", "dp2a"}) handlers[name] = dot_product;
}

}  // namespace gridspan::transforms::ptx
