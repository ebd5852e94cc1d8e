// cvt between integers, real numbers and the small formats.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/real.h"

#include "llvm/IR/Intrinsics.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

/// The integer `value` of type `from` clamped to what `to` holds.
static Value* clamped(Lowering& l, Value* value, const DataType& from, const DataType& to) {
  IRBuilder<>& b = l.builder;
  // In a type that holds both ranges.
  Type* wide = b.getIntNTy(2 * std::max(from.bits, to.bits));
  value = b.CreateIntCast(value, wide, from.is_signed());
  const unsigned bits = wide->getIntegerBitWidth();
  const APInt low = to.is_signed() ? APInt::getSignedMinValue(to.bits).sext(bits) : APInt(bits, 0);
  const APInt high =
      (to.is_signed() ? APInt::getSignedMaxValue(to.bits) : APInt::getMaxValue(to.bits)).zext(bits);
  value = b.CreateBinaryIntrinsic(Intrinsic::smax, value, ConstantInt::get(wide, low));
  value = b.CreateBinaryIntrinsic(Intrinsic::smin, value, ConstantInt::get(wide, high));
  return b.CreateTrunc(value, b.getIntNTy(to.bits));
}

static Value* integer_to_integer(Lowering& l, Value* value, const DataType& from,
                                 const DataType& to) {
  if (l.take("sat")) return clamped(l, value, from, to);
  return l.builder.CreateIntCast(value, l.builder.getIntNTy(to.bits), from.is_signed());
}

/// .rni, .rzi, .rmi, .rpi; nothing where there is none.
static std::optional<Intrinsic::ID> take_integer_rounding(Lowering& l) {
  if (l.take("rni")) return Intrinsic::roundeven;
  if (l.take("rzi")) return Intrinsic::trunc;
  if (l.take("rmi")) return Intrinsic::floor;
  if (l.take("rpi")) return Intrinsic::ceil;
  return std::nullopt;
}

/// The canonical form's conversions saturate (hardware_semantics); to 8 and 16 bits PTX clamps too.
static Value* real_to_integer(Lowering& l, Value* value, const DataType& to) {
  IRBuilder<>& b = l.builder;
  l.take("sat");
  const auto rounding = take_integer_rounding(l);
  if (!rounding) return l.fail();
  value = b.CreateUnaryIntrinsic(*rounding, value);
  DataType wide = to;
  wide.bits = std::max(to.bits, 32u);
  Type* type = b.getIntNTy(wide.bits);
  Value* converted = to.is_signed() ? b.CreateFPToSI(value, type) : b.CreateFPToUI(value, type);
  return wide.bits == to.bits ? converted : clamped(l, converted, wide, to);
}

static Value* integer_to_real(Lowering& l, Value* value, const DataType& from, const DataType& to) {
  IRBuilder<>& b = l.builder;
  const std::string rounding = take_rounding(l);
  const bool saturates = l.take("sat");
  Type* type = to.type(b.getContext());
  const bool is_exact = from.bits < 32 || (from.bits == 32 && to.bits == 64);
  if (rounding.empty() || rounding == "rn" || is_exact) {
    value = from.is_signed() ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type);
  } else {
    std::string name = from.bits == 64 ? (from.is_signed() ? "__nv_ll2" : "__nv_ull2")
                                       : (from.is_signed() ? "__nv_int2" : "__nv_uint2");
    name += (to.bits == 64 ? "double_" : "float_") + rounding;
    value = l.library(name, type, {value});
  }
  return saturates ? saturated(l, value) : value;
}

static Value* real_to_real(Lowering& l, Value* value, const DataType& from, const DataType& to) {
  IRBuilder<>& b = l.builder;
  const bool flushes = l.take("ftz");
  if (flushes && from.bits == 32) value = flushed(l, value);
  if (auto whole = take_integer_rounding(l)) {
    if (from.bits != to.bits) return l.fail();
    value = b.CreateUnaryIntrinsic(*whole, value);
  }
  const std::string rounding = take_rounding(l);
  if (to.bits > from.bits)
    value = b.CreateFPExt(value, b.getDoubleTy());
  else if (to.bits < from.bits)
    value = rounding == "rn" || rounding.empty()
                ? b.CreateFPTrunc(value, b.getFloatTy())
                : l.library("__nv_double2float_" + rounding, b.getFloatTy(), {value});
  if (l.take("sat")) value = saturated(l, value);
  return flushes && to.bits == 32 ? flushed(l, value) : value;
}

static const char* word_for(const DataType& type) {
  return type.kind == DataType::Kind::half ? "f16" : "bf16";
}

static Value* widened(Lowering& l, Value* value, const DataType& from) {
  return from.kind == DataType::Kind::half
             ? l.library("__nv_half2float", l.builder.getFloatTy(), {value})
             : l.library("__gridspan_ptx_bf16_to_f32", l.builder.getFloatTy(), {value});
}

/// A float or a double, rounded once.
static Value* narrowed(Lowering& l, Value* value, const DataType& to) {
  const bool is_double = value->getType()->isDoubleTy();
  std::string name =
      std::string("__gridspan_ptx_") + (is_double ? "f64" : "f32") + "_to_" + word_for(to);
  const std::string rounding = take_rounding(l);
  if (!rounding.empty() && rounding != "rn") name += "_" + rounding;
  if (!is_double && l.take("relu"))
    value = l.library("__gridspan_ptx_relu", value->getType(), {value});
  if (l.take("sat")) value = saturated(l, value);
  if (!is_double && l.take("satfinite")) name += "_finite";
  return l.library(name, l.builder.getInt16Ty(), {value});
}

/// A number that, rounded to 16 bits, is the integer rounded to 16 bits.
static Value* integer_for_narrowing(Lowering& l, Value* value, const DataType& from) {
  IRBuilder<>& b = l.builder;
  if (from.bits > 32)
    return l.library(
        from.is_signed() ? "__gridspan_ptx_s64_to_odd_f64" : "__gridspan_ptx_u64_to_odd_f64",
        b.getDoubleTy(), {value});
  Type* exact = from.bits <= 16 ? b.getFloatTy() : b.getDoubleTy();
  return from.is_signed() ? b.CreateSIToFP(value, exact) : b.CreateUIToFP(value, exact);
}

static Value* to_small(Lowering& l, Value* value, const DataType& from, const DataType& to) {
  if (from.is_integer()) {
    if (from.bits > 64) return l.fail();
    value = integer_for_narrowing(l, value, from);
  } else if (from.is_small()) {
    value = widened(l, value, from);
    if (auto whole = take_integer_rounding(l))
      value = l.builder.CreateUnaryIntrinsic(*whole, value);
  } else if (!from.is_real()) {
    return l.fail();
  }
  return narrowed(l, value, to);
}

/// cvt.rn.f16x2.f32 d, a, b: a goes to the upper half.
static void convert_pair(Lowering& l, const DataType& to, const DataType& from) {
  if (!from.is_real() || from.bits != 32) {
    l.fail();
    return;
  }
  IRBuilder<>& b = l.builder;
  std::string name = std::string("__gridspan_ptx_f32_to_") + word_for(to);
  const std::string rounding = take_rounding(l);
  if (rounding != "rn") name += "_" + rounding;
  const bool clips = l.take("relu");
  if (l.take("satfinite")) name += "_finite";
  auto half = [&](std::size_t index) {
    Value* value = l.value(l.operand(index), from);
    if (clips) value = l.library("__gridspan_ptx_relu", value->getType(), {value});
    return b.CreateZExt(l.library(name, b.getInt16Ty(), {value}), b.getInt32Ty());
  };
  Value* upper = b.CreateShl(half(1), 16);
  l.set(l.operand(0), b.CreateOr(upper, half(2)));
}

/// Pairs of 8-bit numbers: cvt.rn.satfinite.e4m3x2.f32 d, a, b and cvt.rn.f16x2.e4m3x2 d, a.
static bool convert_bytes(Lowering& l) {
  std::string format;
  for (const char* name : {"e4m3x2", "e5m2x2"})
    if (l.take(name)) format = std::string(name).substr(0, 4);
  if (format.empty()) return false;
  IRBuilder<>& b = l.builder;
  const DataType other = l.type();
  if (!l.take("rn")) l.fail();
  const bool clips = l.take("relu");
  if (!l.take("satfinite")) {  // from bytes
    if (other.kind != DataType::Kind::half || other.lanes != 2 || clips) l.fail();
    Value* pair = l.integer(l.operand(1), 16);
    l.set(l.operand(0),
          l.library("__gridspan_ptx_" + format + "x2_to_f16x2", b.getInt32Ty(), {pair}));
    return true;
  }
  auto byte = [&](Value* value) {
    if (clips) value = l.library("__gridspan_ptx_relu", value->getType(), {value});
    return b.CreateZExt(l.library("__gridspan_ptx_f32_to_" + format, b.getInt8Ty(), {value}),
                        b.getInt16Ty());
  };
  Value *upper, *lower;
  if (other.is_real() && other.bits == 32) {
    upper = l.value(l.operand(1), other);
    lower = l.value(l.operand(2), other);
  } else {
    if (!other.is_small() || other.lanes != 2) l.fail();
    Value* pair = l.integer(l.operand(1), 32);
    upper = widened(l, b.CreateTrunc(b.CreateLShr(pair, 16), b.getInt16Ty()), other);
    lower = widened(l, b.CreateTrunc(pair, b.getInt16Ty()), other);
  }
  l.set(l.operand(0), b.CreateOr(b.CreateShl(byte(upper), 8), byte(lower)));
  return true;
}

static bool convert_tf32(Lowering& l) {
  if (!l.take("tf32")) return false;
  const bool nearest = l.take("rna");
  const DataType from = l.type();
  if (!nearest || !from.is_real() || from.bits != 32) l.fail();
  l.set(l.operand(0), l.library("__gridspan_ptx_f32_to_tf32", l.builder.getInt32Ty(),
                                {l.value(l.operand(1), from)}));
  return true;
}

static Value* converted(Lowering& l, Value* value, const DataType& from, const DataType& to) {
  if (from.is_integer() && to.is_integer()) return integer_to_integer(l, value, from, to);
  if (to.is_small()) return to_small(l, value, from, to);
  DataType source = from;
  if (from.is_small()) {
    value = widened(l, value, from);
    source = DataType{DataType::Kind::real, 32};
  }
  if (to.is_integer()) {
    if (l.take("ftz") && source.bits == 32) value = flushed(l, value);
    return real_to_integer(l, value, to);
  }
  if (source.is_integer()) return integer_to_real(l, value, source, to);
  return real_to_real(l, value, source, to);
}

static void convert(Lowering& l) {
  if (convert_tf32(l) || convert_bytes(l)) return;
  const DataType to = l.type(), from = l.type();
  if (to.lanes == 2) return convert_pair(l, to, from);
  if (from.lanes == 2 || from.kind == DataType::Kind::predicate ||
      to.kind == DataType::Kind::predicate || l.failed()) {
    l.fail();
    return;
  }
  l.set(l.operand(0), converted(l, l.value(l.operand(1), from), from, to), to.is_signed());
}

void add_conversions(Handlers& handlers) { handlers["cvt"] = convert; }

}  // namespace gridspan::transforms::ptx
