// and, or, xor, not, lop3, shifts, fields, permutations, counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/lowering.h"

#include "llvm/IR/Intrinsics.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

/// Predicates are logic's operands too.
static void logic(Lowering& l) {
  const DataType type = l.type();
  if (type.is_real() || type.is_small()) l.fail();
  Value* a = l.value(l.operand(1), type);
  if (l.name() == "not") return l.set(l.operand(0), l.builder.CreateNot(a));
  if (l.name() == "cnot") {
    Value* is_zero = l.builder.CreateICmpEQ(a, Constant::getNullValue(a->getType()));
    return l.set(l.operand(0), l.builder.CreateZExt(is_zero, a->getType()));
  }
  Value* b = l.value(l.operand(2), type);
  if (l.name() == "and")
    l.set(l.operand(0), l.builder.CreateAnd(a, b));
  else
    l.set(l.operand(0), l.name() == "or" ? l.builder.CreateOr(a, b) : l.builder.CreateXor(a, b));
}

/// The function whose value in row i is bit i of `table`, the first input being the highest digit
/// of i; null for zero. As f0 ^ (x & (f0 ^ f1)), f0 and f1 being the halves of the table: a ^ b ^ c
/// takes two operations, no function more than a few.
static Value* from_table(IRBuilder<>& builder, unsigned table, ArrayRef<Value*> inputs) {
  if (table == 0) return nullptr;
  if (inputs.empty()) return builder.getInt32(~0u);
  const unsigned rows = 1u << (inputs.size() - 1), mask = (1u << rows) - 1;
  const unsigned low = table & mask, difference = low ^ table >> rows;
  Value* base = from_table(builder, low, inputs.drop_front());
  if (difference == 0) return base;
  Value* term = inputs[0];
  if (difference != mask)
    term = builder.CreateAnd(term, from_table(builder, difference, inputs.drop_front()));
  return base ? builder.CreateXor(base, term) : term;
}

/// lop3.b32 d, a, b, c, table: bit 4a + 2b + c of the table, for each bit.
static void logic_of_three(Lowering& l) {
  const DataType type = l.type();
  if (type.bits != 32) l.fail();
  Value* inputs[3];
  for (unsigned i = 0; i < 3; ++i) inputs[i] = l.value(l.operand(i + 1), type);
  const Operand& table = l.operand(4);
  if (table.kind != Operand::Kind::integer || table.integer > 255) {
    l.fail("the table of lop3 is not a number below 256");
    return;
  }
  Value* result = from_table(l.builder, static_cast<unsigned>(table.integer), inputs);
  l.set(l.operand(0), result ? result : l.builder.getInt32(0));
}

/// Amounts from the width on shift everything out. As in C++ code that clang leaves: the canonical
/// form's shifts of 32 and 64 bits clamp (hardware_semantics), except by constants.
static Value* shifted(Lowering& l, const DataType& type, bool left, Value* value, Value* amount) {
  Value* last = l.builder.getInt32(type.bits - 1);
  if (!left && type.is_signed()) {
    if (isa<ConstantInt>(amount) || type.bits < 32)
      amount = l.builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, last);
    return l.builder.CreateAShr(value, l.builder.CreateZExtOrTrunc(amount, value->getType()));
  }
  auto shift = [&](Value* by) {
    by = l.builder.CreateZExtOrTrunc(by, value->getType());
    return left ? l.builder.CreateShl(value, by) : l.builder.CreateLShr(value, by);
  };
  Value* zero = Constant::getNullValue(value->getType());
  if (auto* constant = dyn_cast<ConstantInt>(amount))
    return constant->getZExtValue() >= type.bits ? zero : shift(amount);
  if (type.bits >= 32) return shift(amount);
  Value* fits = l.builder.CreateICmpULE(amount, last);
  Value* safe = l.builder.CreateSelect(fits, amount, l.builder.getInt32(0));
  return l.builder.CreateSelect(fits, shift(safe), zero);
}

static void shift(Lowering& l) {
  const DataType type = l.type();
  if (!type.is_integer()) l.fail();
  l.set(
      l.operand(0),
      shifted(l, type, l.name() == "shl", l.value(l.operand(1), type), l.integer(l.operand(2), 32)),
      type.is_signed());
}

/// shf.l: the high word of [b, a] << c; shf.r: the low word of [b, a] >> c.
static void funnel_shift(Lowering& l) {
  const bool left = l.take("l");
  if (!left && !l.take("r")) l.fail();
  const bool wraps = l.take("wrap");
  if (!wraps && !l.take("clamp")) l.fail();
  if (l.type().bits != 32) l.fail();
  IRBuilder<>& builder = l.builder;
  Type* i64 = builder.getInt64Ty();
  Value* low = builder.CreateZExt(l.integer(l.operand(1), 32), i64);
  Value* high = builder.CreateZExt(l.integer(l.operand(2), 32), i64);
  Value* both = builder.CreateOr(builder.CreateShl(high, 32), low);
  Value* amount = l.integer(l.operand(3), 32);
  amount = wraps ? builder.CreateAnd(amount, 31)
                 : builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, builder.getInt32(32));
  amount = builder.CreateZExt(amount, i64);
  Value* moved = left ? builder.CreateLShr(builder.CreateShl(both, amount), 32)
                      : builder.CreateLShr(both, amount);
  l.set(l.operand(0), builder.CreateTrunc(moved, builder.getInt32Ty()));
}

static void count(Lowering& l) {
  const DataType type = l.type();
  Value* a = l.value(l.operand(1), type);
  Value* result = l.name() == "clz"
                      ? l.builder.CreateBinaryIntrinsic(Intrinsic::ctlz, a, l.builder.getFalse())
                      : l.builder.CreateUnaryIntrinsic(Intrinsic::ctpop, a);
  l.set(l.operand(0), l.builder.CreateTrunc(result, l.builder.getInt32Ty()));
}

static void reverse(Lowering& l) {
  l.set(l.operand(0),
        l.builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, l.value(l.operand(1), l.type())));
}

/// The highest bit that differs from the sign, all ones if there is none; .shiftamt counts from the
/// top.
static void find_highest(Lowering& l) {
  const DataType type = l.type();
  const bool from_top = l.take("shiftamt");
  IRBuilder<>& builder = l.builder;
  Value* a = l.value(l.operand(1), type);
  if (type.is_signed()) a = builder.CreateXor(a, builder.CreateAShr(a, type.bits - 1));
  Value* zeros = builder.CreateZExtOrTrunc(
      builder.CreateBinaryIntrinsic(Intrinsic::ctlz, a, builder.getFalse()), builder.getInt32Ty());
  Value* found = from_top ? zeros : builder.CreateSub(builder.getInt32(type.bits - 1), zeros);
  Value* is_zero = builder.CreateICmpEQ(a, Constant::getNullValue(a->getType()));
  l.set(l.operand(0), builder.CreateSelect(is_zero, builder.getInt32(~0u), found));
}

/// Position and length count from their low 8 bits.
static Value* low_byte(Lowering& l, const Operand& operand) {
  return l.builder.CreateAnd(l.integer(operand, 32), 255);
}

/// All ones in the low `length` bits, 0 to 255 of them. `type` is an integer type.
static Value* low_mask(Lowering& l, Value* length, IntegerType* type) {
  IRBuilder<>& builder = l.builder;
  Value* all = Constant::getAllOnesValue(type);
  Value* last = builder.getInt32(type->getBitWidth() - 1);
  Value* fits = builder.CreateICmpULE(length, last);
  Value* safe = builder.CreateSelect(fits, length, builder.getInt32(0));
  Value* rest = builder.CreateShl(all, builder.CreateZExtOrTrunc(safe, type));
  return builder.CreateSelect(fits, builder.CreateNot(rest), all);
}

/// a >> position, zero or the sign where position is beyond the end.
static Value* moved_down(Lowering& l, const DataType& type, Value* a, Value* position) {
  IRBuilder<>& builder = l.builder;
  Value* last = builder.getInt32(type.bits - 1);
  Value* safe = builder.CreateZExtOrTrunc(
      builder.CreateBinaryIntrinsic(Intrinsic::umin, position, last), a->getType());
  if (type.is_signed()) return builder.CreateAShr(a, safe);
  return builder.CreateSelect(builder.CreateICmpULE(position, last), builder.CreateLShr(a, safe),
                              Constant::getNullValue(a->getType()));
}

/// bfe d, a, position, length. A signed field's sign is its last bit that lies inside a; a field
/// beyond the end is the sign of a throughout; one of no bits is zero.
static void extract_field(Lowering& l) {
  const DataType type = l.type();
  IRBuilder<>& builder = l.builder;
  Value* a = l.value(l.operand(1), type);
  Value* position = low_byte(l, l.operand(2));
  Value* length = low_byte(l, l.operand(3));
  auto* word = cast<IntegerType>(a->getType());
  Value* down = moved_down(l, type, a, position);
  Value* mask = low_mask(l, length, word);
  Value* field = builder.CreateAnd(down, mask);
  if (type.is_signed()) {
    Value* last = builder.getInt32(type.bits - 1);
    Value* zero = builder.getInt32(0);
    Value* top = builder.CreateSelect(builder.CreateICmpEQ(length, zero), zero,
                                      builder.CreateSub(length, builder.getInt32(1)));
    top = builder.CreateBinaryIntrinsic(Intrinsic::umin, top, last);
    Value* sign = builder.CreateTrunc(
        builder.CreateLShr(down, builder.CreateZExtOrTrunc(top, word)), builder.getInt1Ty());
    Value* filled = builder.CreateOr(field, builder.CreateNot(mask));
    Value* has_bits = builder.CreateICmpNE(length, zero);
    field = builder.CreateSelect(builder.CreateAnd(sign, has_bits), filled, field);
  }
  l.set(l.operand(0), field, type.is_signed());
}

/// bfi f, a, b, position, length: b with a's low bits inserted.
static void insert_field(Lowering& l) {
  const DataType type = l.type();
  IRBuilder<>& builder = l.builder;
  Value* a = l.value(l.operand(1), type);
  Value* b = l.value(l.operand(2), type);
  Value* position = low_byte(l, l.operand(3));
  auto* word = cast<IntegerType>(a->getType());
  Value* mask = low_mask(l, low_byte(l, l.operand(4)), word);
  Value* fits = builder.CreateICmpULT(position, builder.getInt32(type.bits));
  Value* by =
      builder.CreateZExtOrTrunc(builder.CreateSelect(fits, position, builder.getInt32(0)), word);
  Value* place = builder.CreateShl(mask, by);
  Value* inserted = builder.CreateOr(builder.CreateAnd(builder.CreateShl(a, by), place),
                                     builder.CreateAnd(b, builder.CreateNot(place)));
  l.set(l.operand(0), builder.CreateSelect(fits, inserted, b));
}

/// The modes are functions of the device library: tables, not formulas.
static void permute(Lowering& l) {
  std::string name = "__gridspan_ptx_prmt";
  for (const char* mode : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})
    if (l.take(mode)) name += std::string("_") + mode;
  if (l.type().bits != 32) l.fail();
  l.set(l.operand(0), l.library(name, l.builder.getInt32Ty(),
                                {l.integer(l.operand(1), 32), l.integer(l.operand(2), 32),
                                 l.integer(l.operand(3), 32)}));
}

/// bmsk{.clamp,.wrap}.b32 d, position, length
static void make_mask(Lowering& l) {
  const bool wraps = l.take("wrap");
  if (!wraps && !l.take("clamp")) l.fail();
  if (l.type().bits != 32) l.fail();
  IRBuilder<>& builder = l.builder;
  Value* position = l.integer(l.operand(1), 32);
  Value* length = l.integer(l.operand(2), 32);
  if (wraps) {
    position = builder.CreateAnd(position, 31);
    length = builder.CreateAnd(length, 31);
  }
  Value* fits = builder.CreateICmpULT(position, builder.getInt32(32));
  Value* by = builder.CreateSelect(fits, position, builder.getInt32(0));
  Value* mask = builder.CreateShl(low_mask(l, length, builder.getInt32Ty()), by);
  l.set(l.operand(0), builder.CreateSelect(fits, mask, builder.getInt32(0)));
}

void add_bit_operations(Handlers& handlers) {
  for (const char* name : {"and", "or", "xor", "not", "cnot"}) handlers[name] = logic;
  handlers["lop3"] = logic_of_three;
  for (const char* name : {"shl", "shr"}) handlers[name] = shift;
  handlers["shf"] = funnel_shift;
  for (const char* name : {"popc", "clz"}) handlers[name] = count;
  handlers["brev"] = reverse;
  handlers["bfind"] = find_highest;
  handlers["bfe"] = extract_field;
  handlers["bfi"] = insert_field;
  handlers["prmt"] = permute;
  handlers["bmsk"] = make_mask;
}

}  // namespace gridspan::transforms::ptx
