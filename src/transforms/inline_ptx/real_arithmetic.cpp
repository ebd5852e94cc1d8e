// Floating-point arithmetic. Approximations are as exact as the function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/real.h"

#include "llvm/IR/Intrinsics.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

Value* flushed(Lowering& l, Value* value) {
  Value* size = l.builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  Value* is_small = l.builder.CreateFCmpOLT(size, ConstantFP::get(value->getType(), 0x1p-126));
  Value* zero = l.builder.CreateBinaryIntrinsic(Intrinsic::copysign,
                                                Constant::getNullValue(value->getType()), value);
  return l.builder.CreateSelect(is_small, zero, value);
}

Value* saturated(Lowering& l, Value* value) {
  Value* zero = Constant::getNullValue(value->getType());
  Value* one = ConstantFP::get(value->getType(), 1.0);
  Value* is_positive = l.builder.CreateFCmpOGT(value, zero);  // not NaN
  Value* is_less = l.builder.CreateFCmpOLT(value, one);
  return l.builder.CreateSelect(is_positive, l.builder.CreateSelect(is_less, value, one), zero);
}

std::string take_rounding(Lowering& l) {
  if (l.take("rn")) return "rn";
  if (l.take("rz")) return "rz";
  if (l.take("rp")) return "ru";
  return l.take("rm") ? "rd" : "";
}

namespace {

/// Operands and result of one instruction, with its .ftz and .sat.
class Real {
 public:
  Real(Lowering& lowering, const DataType& type)
      : l_(lowering),
        type_(type),
        rounding_(take_rounding(lowering)),
        flushes_(lowering.take("ftz")),
        saturates_(lowering.take("sat")) {
    if ((flushes_ || saturates_) && type.bits == 64) l_.fail();
  }

  Value* operand(std::size_t index) {
    Value* value = l_.value(l_.operand(index), type_);
    return flushes_ && type_.is_real() ? flushed(l_, value) : value;
  }
  bool rounds_to_nearest() const { return rounding_.empty() || rounding_ == "rn"; }
  bool is_double() const { return type_.bits == 64; }
  /// __nv_fadd_rz, __nv_dadd_ru
  Value* rounded(const std::string& single, const std::string& twice, ArrayRef<Value*> arguments) {
    return l_.library((is_double() ? twice : single) + "_" + rounding_, arguments[0]->getType(),
                      arguments);
  }
  void result(Value* value) {
    if (saturates_) value = saturated(l_, value);
    if (flushes_) value = flushed(l_, value);
    l_.set(l_.operand(0), value);
  }

  /// Numbers of 16 bits, one or two in a word: the device library does each.
  void small(StringRef operation, std::size_t count) {
    std::string name =
        type_.kind == DataType::Kind::half ? "__gridspan_ptx_f16_" : "__gridspan_ptx_bf16_";
    name += operation;
    if (!rounds_to_nearest()) l_.fail();
    if (flushes_) name += "_ftz";
    if (saturates_) name += "_sat";
    IRBuilder<>& b = l_.builder;
    Type* i16 = b.getInt16Ty();
    Type* word = b.getIntNTy(type_.width());
    SmallVector<Value*> words;
    for (std::size_t i = 1; i <= count; ++i) words.push_back(l_.value(l_.operand(i), type_));
    Value* all = ConstantInt::get(word, 0);
    for (unsigned lane = 0; lane < type_.lanes; ++lane) {
      SmallVector<Value*> parts;
      for (Value* from : words) parts.push_back(b.CreateTrunc(b.CreateLShr(from, 16 * lane), i16));
      Value* made = b.CreateZExt(l_.library(name, i16, parts), word);
      all = b.CreateOr(all, b.CreateShl(made, 16 * lane));
    }
    l_.set(l_.operand(0), all);
  }

 private:
  Lowering& l_;
  DataType type_;
  std::string rounding_;
  bool flushes_, saturates_;
};

}  // namespace

void real_sum(Lowering& l, const DataType& type, bool subtracts) {
  Real real(l, type);
  if (type.is_small()) return real.small(subtracts ? "sub" : "add", 2);
  Value* a = real.operand(1);
  Value* b = real.operand(2);
  if (real.rounds_to_nearest())
    return real.result(subtracts ? l.builder.CreateFSub(a, b) : l.builder.CreateFAdd(a, b));
  real.result(real.rounded("__nv_fadd", "__nv_dadd", {a, subtracts ? l.builder.CreateFNeg(b) : b}));
}

void real_product(Lowering& l, const DataType& type) {
  Real real(l, type);
  if (type.is_small()) return real.small("mul", 2);
  Value* a = real.operand(1);
  Value* b = real.operand(2);
  real.result(real.rounds_to_nearest() ? l.builder.CreateFMul(a, b)
                                       : real.rounded("__nv_fmul", "__nv_dmul", {a, b}));
}

void real_fma(Lowering& l, const DataType& type) {
  Real real(l, type);
  if (type.is_small()) return real.small(l.take("relu") ? "fma_relu" : "fma", 3);
  Value* a = real.operand(1);
  Value* b = real.operand(2);
  Value* c = real.operand(3);
  real.result(real.rounds_to_nearest() ? l.intrinsic(Intrinsic::fma, {a, b, c}, {a->getType()})
                                       : real.rounded("__nv_fmaf", "__nv_fma", {a, b, c}));
}

void real_quotient(Lowering& l, const DataType& type) {
  if (!l.take("approx")) l.take("full");
  Real real(l, type);
  if (type.is_small()) {
    l.fail();
    return;
  }
  Value* a = real.operand(1);
  Value* b = real.operand(2);
  real.result(real.rounds_to_nearest() ? l.builder.CreateFDiv(a, b)
                                       : real.rounded("__nv_fdiv", "__nv_ddiv", {a, b}));
}

/// A number wins over NaN, unless .NaN says otherwise; -0 is less than +0.
void real_extreme(Lowering& l, const DataType& type, bool smaller) {
  const bool keeps_nan = l.take("NaN");
  Real real(l, type);
  if (type.is_small())
    return real.small(std::string(smaller ? "min" : "max") + (keeps_nan ? "_nan" : ""), 2);
  Value* a = real.operand(1);
  Value* b = real.operand(2);
  Value* result =
      l.builder.CreateBinaryIntrinsic(smaller ? Intrinsic::minimum : Intrinsic::maximum, a, b);
  if (!keeps_nan) {
    result = l.builder.CreateSelect(l.builder.CreateFCmpUNO(b, b), a, result);
    result = l.builder.CreateSelect(l.builder.CreateFCmpUNO(a, a), b, result);
  }
  real.result(result);
}

void real_sign(Lowering& l, const DataType& type) {
  const bool negates = l.name() == "neg";
  Real real(l, type);
  if (type.is_small()) return real.small(negates ? "neg" : "abs", 1);
  Value* a = real.operand(1);
  real.result(negates ? l.builder.CreateFNeg(a)
                      : l.builder.CreateUnaryIntrinsic(Intrinsic::fabs, a));
}

static void reciprocal(Lowering& l) {
  l.take("approx");
  const DataType type = l.type();
  if (type.bits == 64 && l.take("ftz")) {  // rcp.approx.ftz.f64 has 20 bits
    Value* a = l.value(l.operand(1), type);
    return l.set(l.operand(0), l.library("__nv_rcp64h", a->getType(), {a}));
  }
  Real real(l, type);
  if (!type.is_real()) {
    l.fail();
    return;
  }
  Value* a = real.operand(1);
  real.result(real.rounds_to_nearest() ? l.builder.CreateFDiv(ConstantFP::get(a->getType(), 1.0), a)
                                       : real.rounded("__nv_frcp", "__nv_drcp", {a}));
}

static void root(Lowering& l) {
  l.take("approx");
  const DataType type = l.type();
  Real real(l, type);
  if (!type.is_real()) {
    l.fail();
    return;
  }
  Value* a = real.operand(1);
  real.result(real.rounds_to_nearest() ? l.builder.CreateUnaryIntrinsic(Intrinsic::sqrt, a)
                                       : real.rounded("__nv_fsqrt", "__nv_dsqrt", {a}));
}

static const StringMap<const char*>& functions() {
  static const StringMap<const char*> table = {{"rsqrt", "__nv_rsqrtf"}, {"sin", "__nv_sinf"},
                                               {"cos", "__nv_cosf"},     {"ex2", "__nv_exp2f"},
                                               {"lg2", "__nv_log2f"},    {"tanh", "__nv_tanhf"}};
  return table;
}

static void approximation(Lowering& l) {
  if (!l.take("approx")) l.fail();
  const DataType type = l.type();
  Real real(l, type);
  if (type.is_small() && (l.name() == "ex2" || l.name() == "tanh")) return real.small(l.name(), 1);
  if (type.bits == 64 && l.name() == "rsqrt") {
    Value* a = real.operand(1);
    return real.result(l.library("__nv_rsqrt", a->getType(), {a}));
  }
  if (!type.is_real() || type.bits != 32) {
    l.fail();
    return;
  }
  Value* a = real.operand(1);
  real.result(l.library(functions().lookup(l.name()), a->getType(), {a}));
}

/// copysign d, a, b: the sign of a, the size of b.
static void copy_sign(Lowering& l) {
  const DataType type = l.type();
  if (!type.is_real()) {
    l.fail();
    return;
  }
  Value* sign = l.value(l.operand(1), type);
  Value* size = l.value(l.operand(2), type);
  l.set(l.operand(0), l.builder.CreateBinaryIntrinsic(Intrinsic::copysign, size, sign));
}

void add_real_arithmetic(Handlers& handlers) {
  handlers["fma"] = [](Lowering& l) {
    const DataType type = l.type();
    if (type.is_integer())
      l.fail();
    else
      real_fma(l, type);
  };
  handlers["rcp"] = reciprocal;
  handlers["sqrt"] = root;
  handlers["copysign"] = copy_sign;
  for (const auto& entry : functions()) handlers[entry.getKey()] = approximation;
}

}  // namespace gridspan::transforms::ptx
