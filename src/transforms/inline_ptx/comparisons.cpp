// setp, set, selp, slct, testp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/real.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

using Predicate = CmpInst::Predicate;

static Predicate integer_predicate(StringRef word, bool is_signed) {
  return StringSwitch<Predicate>(word)
      .Case("eq", CmpInst::ICMP_EQ)
      .Case("ne", CmpInst::ICMP_NE)
      .Case("lt", is_signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
      .Case("le", is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
      .Case("gt", is_signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
      .Case("ge", is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
      .Case("lo", CmpInst::ICMP_ULT)
      .Case("ls", CmpInst::ICMP_ULE)
      .Case("hi", CmpInst::ICMP_UGT)
      .Case("hs", CmpInst::ICMP_UGE)
      .Default(CmpInst::BAD_ICMP_PREDICATE);
}

static Predicate real_predicate(StringRef word) {
  return StringSwitch<Predicate>(word)
      .Case("eq", CmpInst::FCMP_OEQ)
      .Case("ne", CmpInst::FCMP_ONE)
      .Case("lt", CmpInst::FCMP_OLT)
      .Case("le", CmpInst::FCMP_OLE)
      .Case("gt", CmpInst::FCMP_OGT)
      .Case("ge", CmpInst::FCMP_OGE)
      .Case("equ", CmpInst::FCMP_UEQ)
      .Case("neu", CmpInst::FCMP_UNE)
      .Case("ltu", CmpInst::FCMP_ULT)
      .Case("leu", CmpInst::FCMP_ULE)
      .Case("gtu", CmpInst::FCMP_UGT)
      .Case("geu", CmpInst::FCMP_UGE)
      .Case("num", CmpInst::FCMP_ORD)
      .Case("nan", CmpInst::FCMP_UNO)
      .Default(CmpInst::BAD_FCMP_PREDICATE);
}

static Value* compare(Lowering& l, StringRef word, const DataType& type, bool flushes) {
  Value* a = l.value(l.operand(1), type);
  Value* b = l.value(l.operand(2), type);
  if (type.is_integer()) {
    const Predicate predicate = integer_predicate(word, type.is_signed());
    if (predicate != CmpInst::BAD_ICMP_PREDICATE) return l.builder.CreateICmp(predicate, a, b);
    l.fail();
    return l.builder.getFalse();
  }
  const Predicate predicate = real_predicate(word);
  if (predicate == CmpInst::BAD_FCMP_PREDICATE || type.lanes != 1 ||
      !(type.is_real() || type.is_small())) {
    l.fail();
    return l.builder.getFalse();
  }
  if (type.is_small()) {
    const char* widen =
        type.kind == DataType::Kind::half ? "__nv_half2float" : "__gridspan_ptx_bf16_to_f32";
    a = l.library(widen, l.builder.getFloatTy(), {a});
    b = l.library(widen, l.builder.getFloatTy(), {b});
  } else if (flushes) {
    a = flushed(l, a);
    b = flushed(l, b);
  }
  return l.builder.CreateFCmp(predicate, a, b);
}

/// setp.lt.and.s32 p|q, a, b, c: p = (a < b) and c, q = not (a < b) and c.
struct Comparison {
  Value* holds;
  Value* fails;
};

static Comparison comparison(Lowering& l) {
  const std::string word = l.take_any().value_or("");
  std::string join;
  for (const char* name : {"and", "or", "xor"})
    if (l.take(name)) join = name;
  const bool flushes = l.take("ftz");
  const DataType type = l.type();
  Value* holds = compare(l, word, type, flushes);
  Value* fails = l.builder.CreateNot(holds);
  if (join.empty()) return {holds, fails};
  Value* other = l.predicate(l.operand(3));
  auto joined = [&](Value* value) {
    if (join == "and") return l.builder.CreateAnd(value, other);
    return join == "or" ? l.builder.CreateOr(value, other) : l.builder.CreateXor(value, other);
  };
  return {joined(holds), joined(fails)};
}

static void set_predicate(Lowering& l) {
  const Comparison found = comparison(l);
  const Operand& target = l.operand(0);
  if (target.kind != Operand::Kind::pair) return l.set(target, found.holds);
  l.set(target.parts[0], found.holds);
  l.set(target.parts[1], found.fails);
}

/// set.lt.u32.f32 d, a, b: all ones or zero, or 1.0 or zero.
static void set_number(Lowering& l) {
  const std::string word = l.take_any().value_or("");
  const bool flushes = l.take("ftz");
  const DataType to = l.type(), from = l.type();
  Value* holds = compare(l, word, from, flushes);
  if (to.is_real() && to.bits == 32)
    l.set(l.operand(0), l.builder.CreateSelect(holds, ConstantFP::get(l.builder.getFloatTy(), 1.0),
                                               ConstantFP::get(l.builder.getFloatTy(), 0.0)));
  else if (to.is_integer() && to.bits == 32)
    l.set(l.operand(0), l.builder.CreateSExt(holds, l.builder.getInt32Ty()));
  else
    l.fail();
}

static void select(Lowering& l) {
  const DataType type = l.type();
  Value* condition = l.predicate(l.operand(3));
  Value* a = l.value(l.operand(1), type);
  Value* b = l.value(l.operand(2), type);
  l.set(l.operand(0), l.builder.CreateSelect(condition, a, b), type.is_signed());
}

/// slct.dtype.ctype d, a, b, c: a where c >= 0, otherwise b.
static void select_by_sign(Lowering& l) {
  const bool flushes = l.take("ftz");
  const DataType type = l.type(), decider = l.type();
  Value* c = l.value(l.operand(3), decider);
  Value* zero = Constant::getNullValue(c->getType());
  if (flushes && decider.is_real()) c = flushed(l, c);
  Value* holds =
      decider.is_real() ? l.builder.CreateFCmpOGE(c, zero) : l.builder.CreateICmpSGE(c, zero);
  Value* a = l.value(l.operand(1), type);
  Value* b = l.value(l.operand(2), type);
  l.set(l.operand(0), l.builder.CreateSelect(holds, a, b), type.is_signed());
}

/// testp.finite.f32 p, a
static void test(Lowering& l) {
  const unsigned classes = StringSwitch<unsigned>(l.take_any().value_or(""))
                               .Case("finite", fcFinite)
                               .Case("infinite", fcInf)
                               .Case("number", ~static_cast<unsigned>(fcNan) & fcAllFlags)
                               .Case("notanumber", fcNan)
                               .Case("normal", fcNormal | fcZero)
                               .Case("subnormal", fcSubnormal)
                               .Default(0);
  const DataType type = l.type();
  if (classes == 0 || !type.is_real()) {
    l.fail();
    return;
  }
  Value* a = l.value(l.operand(1), type);
  l.set(l.operand(0),
        l.intrinsic(Intrinsic::is_fpclass, {a, l.builder.getInt32(classes)}, {a->getType()}));
}

void add_comparisons(Handlers& handlers) {
  handlers["setp"] = set_predicate;
  handlers["set"] = set_number;
  handlers["selp"] = select;
  handlers["slct"] = select_by_sign;
  handlers["testp"] = test;
}

}  // namespace gridspan::transforms::ptx
