// Video instructions: vadd4, vabsdiff2, vset4, ... on the bytes or halves of words, vadd, vshl, ...
// on whole words. Parts of words (%0.b2) are not known here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     vop{2,4}.dtype.atype.btype{.sat}{.add}  d, a, b, c      .add: c plus all lanes of the result
//     vset{2,4}.atype.btype.cmp{.add}         d, a, b, c      lanes of 0 and 1
//     vop.dtype.atype.btype{.sat}{.op2}       d, a, b, c      .op2: of the result and c
//     vshl.dtype.atype.u32.mode{.op2}, vshr with .sat, too
//     vset.atype.btype.cmp{.op2}
#include "transforms/inline_ptx/lowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

namespace {

/// Lanes of one statement, each in 32 bits.
struct Lanes {
  Lowering& l;
  unsigned count, bits;

  Value* lane(Value* word, unsigned index, bool is_signed) const {
    Value* cut =
        l.builder.CreateTrunc(l.builder.CreateLShr(word, index * bits), l.builder.getIntNTy(bits));
    return l.builder.CreateIntCast(cut, l.builder.getInt32Ty(), is_signed);
  }
  Value* number(std::int64_t value) const {
    return l.builder.getInt32(static_cast<std::uint32_t>(value));
  }
  Value* clamped(Value* value, bool is_signed) const {
    const std::int64_t least = is_signed ? -(1ll << (bits - 1)) : 0;
    const std::int64_t most = is_signed ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1;
    value = l.builder.CreateBinaryIntrinsic(Intrinsic::smax, value, number(least));
    return l.builder.CreateBinaryIntrinsic(Intrinsic::smin, value, number(most));
  }
  /// The lanes side by side, or added to operand 3.
  void finish(ArrayRef<Value*> values, bool adds) const {
    Value* result = adds ? l.integer(l.operand(3), 32) : number(0);
    for (unsigned i = 0; i < count; ++i) {
      if (adds) {
        result = l.builder.CreateAdd(result, values[i]);
      } else {
        Value* cut = l.builder.CreateAnd(values[i], number((1ll << bits) - 1));
        result = l.builder.CreateOr(result, l.builder.CreateShl(cut, i * bits));
      }
    }
    l.set(l.operand(0), result);
  }
};

Lanes lanes_of(Lowering& l) {
  const unsigned count = l.name().back() == '4' ? 4 : 2;
  return {l, count, 32 / count};
}

/// u32 or s32: words are all that there is.
DataType word_type(Lowering& l) {
  const DataType type = l.type();
  const bool is_number = type.kind == DataType::Kind::is_unsigned || type.is_signed();
  if (!is_number || type.width() != 32) l.fail();
  return type;
}

Value* combine(Lowering& l, StringRef operation, Value* a, Value* b) {
  IRBuilder<>& builder = l.builder;
  if (operation == "vadd") return builder.CreateAdd(a, b);
  if (operation == "vsub") return builder.CreateSub(a, b);
  if (operation == "vmin") return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  if (operation == "vmax") return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  if (operation == "vabsdiff")
    return builder.CreateBinaryIntrinsic(Intrinsic::abs, builder.CreateSub(a, b),
                                         builder.getFalse());
  // vavrg rounds halves away from zero.
  Value* sum = builder.CreateAdd(a, b);
  Value* not_negative = builder.CreateICmpSGE(sum, builder.getInt32(0));
  Value* one = builder.CreateZExt(not_negative, builder.getInt32Ty());
  return builder.CreateAShr(builder.CreateAdd(sum, one), 1);
}

void arithmetic(Lowering& l) {
  const Lanes lanes = lanes_of(l);
  const bool saturates = l.take("sat"), adds = l.take("add");
  const DataType result = word_type(l), left = word_type(l), right = word_type(l);
  Value* a = l.integer(l.operand(1), 32);
  Value* b = l.integer(l.operand(2), 32);
  SmallVector<Value*, 4> values;
  for (unsigned i = 0; i < lanes.count; ++i) {
    Value* value = combine(l, StringRef(l.name()).drop_back(), lanes.lane(a, i, left.is_signed()),
                           lanes.lane(b, i, right.is_signed()));
    values.push_back(saturates ? lanes.clamped(value, result.is_signed()) : value);
  }
  lanes.finish(values, adds);
}

/// Of numbers with room for a sign.
CmpInst::Predicate predicate_of(StringRef name) {
  return StringSwitch<CmpInst::Predicate>(name)
      .Case("eq", CmpInst::ICMP_EQ)
      .Case("ne", CmpInst::ICMP_NE)
      .Case("lt", CmpInst::ICMP_SLT)
      .Case("le", CmpInst::ICMP_SLE)
      .Case("gt", CmpInst::ICMP_SGT)
      .Case("ge", CmpInst::ICMP_SGE)
      .Default(CmpInst::BAD_ICMP_PREDICATE);
}

void comparison(Lowering& l) {
  const Lanes lanes = lanes_of(l);
  const bool adds = l.take("add");
  const DataType left = word_type(l), right = word_type(l);
  const auto predicate = predicate_of(l.take_any().value_or(""));
  if (predicate == CmpInst::BAD_ICMP_PREDICATE) {
    l.fail();
    return;
  }
  Value* a = l.integer(l.operand(1), 32);
  Value* b = l.integer(l.operand(2), 32);
  SmallVector<Value*, 4> values;
  for (unsigned i = 0; i < lanes.count; ++i) {
    Value* holds = l.builder.CreateICmp(predicate, lanes.lane(a, i, left.is_signed()),
                                        lanes.lane(b, i, right.is_signed()));
    values.push_back(l.builder.CreateZExt(holds, l.builder.getInt32Ty()));
  }
  lanes.finish(values, adds);
}

/// The second operation, of what the first has made and operand 3.
void finish_word(Lowering& l, Value* made, bool is_signed) {
  Value* result = l.builder.CreateTrunc(made, l.builder.getInt32Ty());
  const auto other = [&] { return l.integer(l.operand(3), 32); };
  if (l.take("add"))
    result = l.builder.CreateAdd(result, other());
  else if (l.take("min"))
    result = l.builder.CreateBinaryIntrinsic(is_signed ? Intrinsic::smin : Intrinsic::umin, result,
                                             other());
  else if (l.take("max"))
    result = l.builder.CreateBinaryIntrinsic(is_signed ? Intrinsic::smax : Intrinsic::umax, result,
                                             other());
  l.set(l.operand(0), result);
}

Value* saturated(Lowering& l, Value* wide, bool is_signed) {
  const std::int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
  wide = l.builder.CreateBinaryIntrinsic(Intrinsic::smax, wide, l.builder.getInt64(least));
  return l.builder.CreateBinaryIntrinsic(Intrinsic::smin, wide, l.builder.getInt64(most));
}

Value* wide_word(Lowering& l, unsigned operand, bool is_signed) {
  return l.builder.CreateIntCast(l.integer(l.operand(operand), 32), l.builder.getInt64Ty(),
                                 is_signed);
}

void word_arithmetic(Lowering& l) {
  const bool saturates = l.take("sat");
  const DataType type = word_type(l), left = word_type(l), right = word_type(l);
  Value* made =
      combine(l, l.name(), wide_word(l, 1, left.is_signed()), wide_word(l, 2, right.is_signed()));
  finish_word(l, saturates ? saturated(l, made, type.is_signed()) : made, type.is_signed());
}

/// By 32 at most, or by the last five bits.
void word_shift(Lowering& l) {
  const bool saturates = l.take("sat"), wraps = l.take("wrap");
  // What GPUs make of bits that leave the word is not written down.
  if ((saturates && l.name() == "vshl") || (!wraps && !l.take("clamp"))) {
    l.fail();
    return;
  }
  const DataType type = word_type(l), left = word_type(l);
  if (word_type(l).is_signed()) l.fail();
  Value* by = wide_word(l, 2, false);
  by = wraps ? l.builder.CreateAnd(by, 31)
             : l.builder.CreateBinaryIntrinsic(Intrinsic::umin, by, l.builder.getInt64(32));
  Value* word = wide_word(l, 1, left.is_signed());
  Value* made = l.name() == "vshl" ? l.builder.CreateShl(word, by) : l.builder.CreateAShr(word, by);
  finish_word(l, saturates ? saturated(l, made, type.is_signed()) : made, type.is_signed());
}

void word_comparison(Lowering& l) {
  const DataType left = word_type(l), right = word_type(l);
  const auto predicate = predicate_of(l.take_any().value_or(""));
  if (predicate == CmpInst::BAD_ICMP_PREDICATE) {
    l.fail();
    return;
  }
  Value* holds = l.builder.CreateICmp(predicate, wide_word(l, 1, left.is_signed()),
                                      wide_word(l, 2, right.is_signed()));
  finish_word(l, l.builder.CreateZExt(holds, l.builder.getInt64Ty()), false);
}

}  // namespace

void add_video(Handlers& handlers) {
  for (const char* name : {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"})
    for (const char* width : {"2", "4"}) handlers[std::string(name) + width] = arithmetic;
  for (const char* name : {"vset2", "vset4"}) handlers[name] = comparison;
  for (const char* name : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"})
    handlers[name] = word_arithmetic;
  for (const char* name : {"vshl", "vshr"}) handlers[name] = word_shift;
  handlers["vset"] = word_comparison;
}

}  // namespace gridspan::transforms::ptx
