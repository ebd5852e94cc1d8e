// Intervals of affine values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/range_check.h"

#include "codegen/extremes.h"
#include "model/factors.h"
#include "model/facts.h"

#include "llvm/IR/Intrinsics.h"

#include <algorithm>
#include <cmath>

namespace gridspan::codegen {

using namespace llvm;
using model::Assumption;
using model::Dimension;

namespace {

/// Two doubles; null where there is no end.
struct Interval {
  Value *low = nullptr, *high = nullptr;
  bool finite() const { return low && high; }
};

/// An interval, and the magnitudes of all integers summed up on the way: below 2^52 all is exact.
struct Sum {
  Interval interval;
  Value* magnitude = nullptr;
};

/// Names in the assumption that are no parameters of the kernel, dimensions and data; and the bases
/// of products among them.
std::vector<std::string> varying_names(const model::Kernel& kernel, const Assumption& assumption) {
  std::vector<std::string> names;
  auto add = [&](const std::string& name, const auto& self) -> void {
    if (model::find_parameter(kernel, name) || std::ranges::count(names, name) != 0) return;
    names.push_back(name);
    const Dimension* dimension = model::find_dimension(kernel, name);
    if (dimension && dimension->kind == Dimension::Kind::product) self(dimension->base, self);
  };
  for (const std::string& name : model::involved_parameters(assumption.domain)) add(name, add);
  for (const std::string& name : model::involved_parameters(assumption.value)) add(name, add);
  return names;
}

/// The domain with what is known of its dimensions.
isl::set whole_domain(const model::Kernel& kernel, const Assumption& assumption) {
  std::vector<std::string> dimensions = varying_names(kernel, assumption);
  std::erase_if(dimensions, [&](const auto& name) { return !model::find_dimension(kernel, name); });
  return assumption.domain.intersect(model::dimension_facts(kernel, dimensions));
}

class RangeWriter {
 public:
  RangeWriter(IRBuilder<>& builder, LaunchValues& values, const model::Kernel& kernel,
              std::vector<std::string> varying, const isl::set& domain)
      : builder_(builder),
        values_(values),
        kernel_(kernel),
        varying_(std::move(varying)),
        domain_(domain) {}

  Sum sum(const isl::aff& value);

 private:
  Sum integer_sum(const isl::aff& value);
  Value* floor(Value* value);
  Interval of(const std::string& name);
  Interval projected(const std::string& name);
  Interval product(const Dimension& dimension);
  void add(Sum& sum, const Interval& term, const isl::val& coefficient);
  Value* number(double value) { return ConstantFP::get(builder_.getDoubleTy(), value); }
  Value* real(const Number& value) {
    return builder_.CreateSIToFP(value.value, builder_.getDoubleTy());
  }
  Value* least(Value* a, Value* b) { return builder_.CreateMinNum(a, b); }
  Value* greatest(Value* a, Value* b) { return builder_.CreateMaxNum(a, b); }
  Value* magnitude(Value* a) { return builder_.CreateUnaryIntrinsic(Intrinsic::fabs, a); }

  IRBuilder<>& builder_;
  LaunchValues& values_;
  const model::Kernel& kernel_;
  std::vector<std::string> varying_;
  isl::set domain_;
};

Interval RangeWriter::of(const std::string& name) {
  if (std::ranges::count(varying_, name) == 0) {
    Value* value = real(values_(name));
    return {value, value};
  }
  Interval interval = projected(name);
  const Dimension* dimension = model::find_dimension(kernel_, name);
  if (!dimension || dimension->kind != Dimension::Kind::product) return interval;
  const Interval other = product(*dimension);
  if (!other.finite()) return interval;
  interval.low = interval.low ? greatest(interval.low, other.low) : other.low;
  interval.high = interval.high ? least(interval.high, other.high) : other.high;
  return interval;
}

Interval RangeWriter::projected(const std::string& name) {
  std::vector<std::string> gone = varying_;
  std::erase(gone, name);
  const Extremes ends = extremes_of(model::project_out_parameters(domain_, gone), name);
  IslCode code(
      builder_, [this](const std::string& parameter) { return values_(parameter); },
      kernel_.context);
  Interval interval;
  if (ends.has_least()) interval.low = real(codegen::least(code, ends));
  if (ends.has_greatest()) interval.high = real(codegen::greatest(code, ends));
  return interval;
}

Interval RangeWriter::product(const Dimension& dimension) {
  const Interval base = of(dimension.base);
  if (!base.finite()) return {};
  Value* factor = real(values_(dimension.factor));
  Value *a = builder_.CreateFMul(base.low, factor), *b = builder_.CreateFMul(base.high, factor);
  return {least(a, b), greatest(a, b)};
}

void RangeWriter::add(Sum& sum, const Interval& term, const isl::val& coefficient) {
  if (!term.finite()) throw Unwritable("nothing bounds a dimension");
  const double c = isl_val_get_d(coefficient.get());
  Value *a = builder_.CreateFMul(term.low, number(c)),
        *b = builder_.CreateFMul(term.high, number(c));
  Interval& total = sum.interval;
  total.low = builder_.CreateFAdd(total.low, c < 0 ? b : a);
  total.high = builder_.CreateFAdd(total.high, c < 0 ? a : b);
  sum.magnitude = builder_.CreateFAdd(sum.magnitude, greatest(magnitude(a), magnitude(b)));
}

/// A fraction is its numerator, an integer, divided: correctly rounded doubles then round down
/// right.
Sum RangeWriter::sum(const isl::aff& value) {
  const isl::val denominator = checked(value.ctx(), isl_aff_get_denominator_val(value.get()));
  if (denominator.is_one()) return integer_sum(value);
  Sum result =
      integer_sum(checked(value.ctx(), isl_aff_scale_val(value.copy(), denominator.copy())));
  Value* divisor = number(isl_val_get_d(denominator.get()));
  result.interval.low = builder_.CreateFDiv(result.interval.low, divisor);
  result.interval.high = builder_.CreateFDiv(result.interval.high, divisor);
  return result;
}

Sum RangeWriter::integer_sum(const isl::aff& value) {
  isl::ctx context = value.ctx();
  Sum result{{number(0), number(0)}, number(0)};
  const Interval one{number(1), number(1)};
  add(result, one, checked(context, isl_aff_get_constant_val(value.get())));
  const isl_size parameters = isl_aff_dim(value.get(), isl_dim_param);
  for (int i = 0; i < parameters; ++i) {
    isl::val c = checked(context, isl_aff_get_coefficient_val(value.get(), isl_dim_param, i));
    if (!c.is_zero()) add(result, of(isl_aff_get_dim_name(value.get(), isl_dim_param, i)), c);
  }
  const isl_size quotients = isl_aff_dim(value.get(), isl_dim_div);
  for (int i = 0; i < quotients; ++i) {
    isl::val c = checked(context, isl_aff_get_coefficient_val(value.get(), isl_dim_div, i));
    if (c.is_zero()) continue;
    const Sum inner = sum(checked(context, isl_aff_get_div(value.get(), i)));
    add(result, {floor(inner.interval.low), floor(inner.interval.high)}, c);
    Value* error = builder_.CreateFMul(inner.magnitude, number(std::fabs(isl_val_get_d(c.get()))));
    result.magnitude = builder_.CreateFAdd(result.magnitude, error);
  }
  return result;
}

/// In line; llvm.floor would call libm on old processors. Doubles of 2^52 and more are integers.
Value* RangeWriter::floor(Value* value) {
  Type* i64 = builder_.getInt64Ty();
  Value* truncated = builder_.CreateSIToFP(
      builder_.CreateIntrinsic(Intrinsic::fptosi_sat, {i64, value->getType()}, {value}),
      value->getType());
  Value* above = builder_.CreateFCmpOGT(truncated, value);
  Value* result =
      builder_.CreateSelect(above, builder_.CreateFSub(truncated, number(1)), truncated);
  Value* large = builder_.CreateFCmpOGE(magnitude(value), number(0x1p52));
  return builder_.CreateSelect(large, value, result);
}

/// The doubles a limit given in decimal certainly includes.
double inward(const std::string& decimal, double direction) {
  const double value = std::stod(decimal);
  return std::fabs(value) > 0x1p53 ? std::nextafter(value, direction) : value;
}

}  // namespace

Value* range_check(IRBuilder<>& builder, LaunchValues& values, const model::Kernel& kernel,
                   const Assumption& assumption) {
  const isl::set domain = whole_domain(kernel, assumption);
  const std::vector<std::string> varying = varying_names(kernel, assumption);
  if (!domain.is_subset(assumption.value.domain())) throw Unwritable("a value is missing");
  auto number = [&](double value) { return ConstantFP::get(builder.getDoubleTy(), value); };
  Value* lowest = number(inward(assumption.minimum, HUGE_VAL));
  Value* highest = number(inward(assumption.maximum, -HUGE_VAL));
  Value* all = builder.getTrue();
  assumption.value.foreach_piece([&](const isl::set& where, const isl::multi_aff& value) {
    const isl::set points = domain.intersect(where);
    if (points.is_empty()) return;
    const Sum sum = RangeWriter(builder, values, kernel, varying, points).sum(value.at(0));
    Value* rounds = builder.CreateFCmpOGT(sum.magnitude, number(0x1p52));
    Value* error =
        builder.CreateSelect(rounds, builder.CreateFMul(sum.magnitude, number(0x1p-40)), number(0));
    Value* low = builder.CreateFSub(sum.interval.low, error);
    Value* high = builder.CreateFAdd(sum.interval.high, error);
    all = builder.CreateAnd(all, builder.CreateFCmpOGE(low, lowest));
    all = builder.CreateAnd(all, builder.CreateFCmpOLE(high, highest));
  });
  return all;
}

isl::set launches_out_of_range(const model::Kernel& kernel, const Assumption& assumption) {
  isl::ctx context = assumption.domain.ctx();
  const isl::set domain = whole_domain(kernel, assumption);
  auto limit = [&](const std::string& decimal) {
    isl::set everywhere = isl::set::universe(assumption.value.space().domain());
    return everywhere.pw_aff_on_domain(isl::val(context, decimal));
  };
  const isl::set inside = assumption.value.ge_set(limit(assumption.minimum))
                              .intersect(assumption.value.le_set(limit(assumption.maximum)));
  const isl::set bad = domain.subtract(inside);
  const isl::set launches = model::project_out_parameters(bad, varying_names(kernel, assumption));
  return launches.gist(kernel.context).coalesce();
}

}  // namespace gridspan::codegen
