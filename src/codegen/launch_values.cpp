// Parameters of a launch and of a part.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/launch_values.h"

#include "abi/model.h"
#include "model/factors.h"

#include "llvm/IR/Intrinsics.h"

#include <algorithm>
#include <cmath>

namespace gridspan::codegen {

using namespace llvm;
using model::Dimension;
using model::Parameter;

namespace {

constexpr double grid_bounds[] = {2147483647, 65535, 65535};
constexpr double block_bounds[] = {1024, 1024, 64};

/// The dimension of which `name` is the first or last value in a part; null if there is none.
const Dimension* part_dimension(const model::Kernel& kernel, const std::string& name, bool& last) {
  for (const Dimension& dimension : kernel.dimensions) {
    last = name == model::part_last(dimension.name);
    if (last || name == model::part_first(dimension.name)) return &dimension;
  }
  return nullptr;
}

}  // namespace

LaunchValues::LaunchValues(const model::Kernel& kernel, Function& function, Value* part)
    : kernel_(kernel),
      values_(function.getArg(0)),
      part_(part),
      start_(nullptr),
      entry_(BasicBlock::Create(function.getContext(), "entry", &function)) {
  start_ = BasicBlock::Create(function.getContext(), "start", &function);
}

void LaunchValues::close() { entry_.CreateBr(start_); }

Number LaunchValues::operator()(const std::string& name) {
  if (auto found = defined_.find(name); found != defined_.end()) return found->second;
  used_.insert(name);
  if (auto found = known_.find(name); found != known_.end()) return found->second;
  return known_[name] = find(name);
}

Number LaunchValues::find(const std::string& name) {
  if (const Parameter* found = model::find_parameter(kernel_, name)) return parameter(*found);
  bool last = false;
  if (const Dimension* dimension = part_dimension(kernel_, name, last))
    return part_end(*dimension, last);
  throw Unwritable("nothing is known about '" + name + "'");
}

Value* LaunchValues::element(Value* vector, unsigned index) {
  Type* i64 = entry_.getInt64Ty();
  return entry_.CreateLoad(i64, entry_.CreateConstInBoundsGEP1_64(i64, vector, index));
}

Number LaunchValues::parameter(const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::grid_dim:
      return {element(values_, parameter.axis), grid_bounds[parameter.axis]};
    case Parameter::Kind::block_dim:
      return {element(values_, 3 + parameter.axis), block_bounds[parameter.axis]};
    case Parameter::Kind::argument:
      return argument(parameter);
    case Parameter::Kind::product:
      return product(parameter.factors);
    case Parameter::Kind::quotient:
      return quotient((*this)(parameter.factors.at(0)), (*this)(parameter.factors.at(1)));
    case Parameter::Kind::expression:
      return expression(isl::pw_aff(kernel_.context.ctx(), parameter.expression));
  }
  throw Unwritable("unexpected parameter");
}

/// scalars[i] of the descriptor is the i-th argument among the parameters.
Number LaunchValues::argument(const Parameter& parameter) {
  unsigned index = abi::first_scalar;
  for (const Parameter& other : kernel_.parameters) {
    if (&other == &parameter) break;
    if (other.kind == Parameter::Kind::argument) ++index;
  }
  const double bound = std::ldexp(1.0, static_cast<int>(8 * parameter.bytes) - 1);
  return limited({element(values_, index), bound});
}

Number LaunchValues::limited(Number number) {
  constexpr auto largest = static_cast<double>(largest_parameter);
  if (number.bound <= largest) return number;
  Value* shifted = entry_.CreateAdd(number.value, entry_.getInt64(largest_parameter));
  fits_.push_back(entry_.CreateICmpULE(shifted, entry_.getInt64(2 * largest_parameter)));
  return {number.value, largest};
}

Number LaunchValues::times(Number a, Number b) {
  const double bound = a.bound * b.bound;
  if (bound < std::ldexp(1.0, 62)) return limited({entry_.CreateMul(a.value, b.value), bound});
  Value* result = entry_.CreateBinaryIntrinsic(Intrinsic::smul_with_overflow, a.value, b.value);
  fits_.push_back(entry_.CreateNot(entry_.CreateExtractValue(result, 1)));
  return limited({entry_.CreateExtractValue(result, 0), bound});
}

Number LaunchValues::product(const std::vector<std::string>& factors) {
  Number result{entry_.getInt64(1), 1};
  for (const std::string& factor : factors) result = times(result, (*this)(factor));
  return result;
}

/// The model relies on neither being out of range where it speaks of a quotient: then it does not
/// fit.
Number LaunchValues::quotient(Number dividend, Number divisor) {
  Value* zero = entry_.getInt64(0);
  Value* divides = entry_.CreateICmpSGT(divisor.value, zero);
  fits_.push_back(divides);
  fits_.push_back(entry_.CreateICmpSGE(dividend.value, zero));
  Value* by = entry_.CreateSelect(divides, divisor.value, entry_.getInt64(1));
  return {entry_.CreateSDiv(dividend.value, by), dividend.bound};
}

/// isl gives an expression outside its domain no value: then it does not fit.
Number LaunchValues::expression(const isl::pw_aff& value) {
  isl::set everywhere = isl::set::universe(value.domain().params().space());
  IslCode code(entry_, [this](const std::string& name) { return (*this)(name); }, everywhere);
  fits_.push_back(code.condition(value.domain().params()));
  return limited(code.number(value));
}

void LaunchValues::check_product(const std::string& factor, const isl::pw_aff& value) {
  times((*this)(factor), expression(value));
}

Value* LaunchValues::part(unsigned axis, bool last) {
  return element(part_, last ? 3 + axis : axis);
}

Number LaunchValues::part_end(const Dimension& dimension, bool last) {
  switch (dimension.kind) {
    case Dimension::Kind::block: {
      const double bound = grid_bounds[dimension.axis];
      return {part_ ? part(dimension.axis, last) : element(values_, dimension.axis), bound};
    }
    case Dimension::Kind::product: {
      const std::string& base = dimension.base;
      return times((*this)(dimension.factor),
                   (*this)(last ? model::part_last(base) : model::part_first(base)));
    }
    default:
      throw Unwritable("'" + dimension.name + "' has no range over a part");
  }
}

Value* LaunchValues::fit() {
  Value* all = entry_.getTrue();
  for (Value* one : fits_) all = entry_.CreateAnd(all, one);
  return all;
}

}  // namespace gridspan::codegen
