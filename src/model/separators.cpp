// Separators, from the equality constraints of a set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/separators.h"

#include "model/factors.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace gridspan::model {
namespace {

using Digits = std::vector<const Dimension*>;

const char one[] = "";  // the step of a digit that takes all numbers

// What a digit is a multiple of; null if it is not known to be a positive number of the launch.
std::optional<std::string> step_name(const Kernel& kernel, const Dimension& digit) {
  if (digit.kind != Dimension::Kind::product) return one;
  const Parameter* step = step_of(kernel, digit);
  if (step == nullptr || !proved_positive(kernel, step->name)) return std::nullopt;
  return step->name;
}

// What a digit of that step, and those below it, stay below.
std::optional<std::string> bound_name(const Kernel& kernel, const Dimension& digit) {
  if (digit.kind == Dimension::Kind::loop || !is_natural(kernel, digit.name)) return std::nullopt;
  if (digit.kind != Dimension::Kind::product) return extent_of(kernel, digit);
  const Parameter* bound = bound_of(kernel, digit);
  if (bound == nullptr) return std::nullopt;
  return bound->name;
}

// Whether the sum of these dimensions is a number whose digits they are: each one's step is the
// bound of the one below it, the lowest one's is 1. The highest needs no bound.
bool are_digits(const Kernel& kernel, Digits digits) {
  std::optional<std::string> step = one;
  while (!digits.empty()) {
    if (!step) return false;
    const auto next = std::ranges::find_if(
        digits, [&](const Dimension* digit) { return step_name(kernel, *digit) == step; });
    if (next == digits.end()) return false;
    step = bound_name(kernel, **next);
    digits.erase(next);
  }
  return true;
}

// An equality that says what one subscript is: nothing but parameters beside it.
struct Equality {
  unsigned subscript = 0;
  std::string text;
  Digits digits;
};

std::string text_of(const isl::val& value) {
  char* raw = isl_val_to_str(value.get());
  std::string text = raw == nullptr ? "?" : raw;
  std::free(raw);
  return text;
}

bool involves(isl_constraint* constraint, isl_dim_type type, unsigned first, unsigned count) {
  return is_true(isl::ctx(isl_constraint_get_ctx(constraint)),
                 isl_constraint_involves_dims(constraint, type, first, count));
}

std::optional<unsigned> only_subscript(isl_constraint* constraint) {
  std::optional<unsigned> found;
  const int rank = isl_constraint_dim(constraint, isl_dim_set);
  for (int i = 0; i < rank; ++i) {
    const auto position = static_cast<unsigned>(i);
    if (!involves(constraint, isl_dim_set, position, 1)) continue;
    if (found) return std::nullopt;
    found = position;
  }
  const auto divisions = static_cast<unsigned>(isl_constraint_dim(constraint, isl_dim_div));
  return involves(constraint, isl_dim_div, 0, divisions) ? std::nullopt : found;
}

// Null unless all dimensions in it have one coefficient.
std::optional<Equality> read_equality(const Kernel& kernel, isl_constraint* constraint) {
  const std::optional<unsigned> subscript = only_subscript(constraint);
  if (!subscript) return std::nullopt;
  isl::val own = isl::manage(
      isl_constraint_get_coefficient_val(constraint, isl_dim_set, static_cast<int>(*subscript)));
  const isl::val sign(own.ctx(), own.is_neg() ? -1 : 1);
  Equality equality{*subscript, std::to_string(*subscript) + ": " + text_of(own.mul(sign)), {}};
  std::optional<isl::val> common;
  const int parameters = isl_constraint_dim(constraint, isl_dim_param);
  std::vector<std::string> terms;
  for (int i = 0; i < parameters; ++i) {
    const isl::val coefficient =
        isl::manage(isl_constraint_get_coefficient_val(constraint, isl_dim_param, i)).mul(sign);
    if (coefficient.is_zero()) continue;
    const std::string name =
        isl_constraint_get_dim_name(constraint, isl_dim_param, static_cast<unsigned>(i));
    terms.push_back(text_of(coefficient) + " " + name);
    const Dimension* dimension = find_dimension(kernel, name);
    if (dimension == nullptr) continue;
    if (common && !common->eq(coefficient)) return std::nullopt;
    common = coefficient;
    equality.digits.push_back(dimension);
  }
  std::ranges::sort(terms);
  for (const std::string& term : terms) equality.text += " + " + term;
  const isl::val constant = isl::manage(isl_constraint_get_constant_val(constraint)).mul(sign);
  equality.text += " + " + text_of(constant);
  return equality;
}

std::vector<Equality> equalities(const Kernel& kernel, const isl::basic_set& piece) {
  std::vector<Equality> found;
  for_each_constraint(piece, [&](isl_constraint* constraint) {
    if (isl_constraint_is_equality(constraint) != isl_bool_true) return;
    if (auto equality = read_equality(kernel, constraint)) found.push_back(std::move(*equality));
  });
  return found;
}

std::optional<Separator> separator(const Kernel& kernel, const Equality& equality) {
  Separator separator{equality.text, {}};
  bool any = false;
  for (const Dimension* digit : equality.digits) {
    const Dimension* root = root_of(kernel, digit->name);
    if (root == nullptr) return std::nullopt;
    if (root->kind != Dimension::Kind::block) continue;
    separator.axes[root->axis] = any = true;
  }
  if (!any || !are_digits(kernel, equality.digits)) return std::nullopt;
  return separator;
}

}  // namespace

std::vector<Separator> separators(const Kernel& kernel, const isl::set& touched) {
  std::vector<Separator> common;
  bool first = true;
  touched.foreach_basic_set([&](const isl::basic_set& piece) {
    const std::vector<Equality> here = equalities(kernel, piece);
    if (first) {
      for (const Equality& equality : here) {
        if (auto found = separator(kernel, equality)) common.push_back(std::move(*found));
      }
    }
    first = false;
    std::erase_if(common, [&](const Separator& known) {
      return std::ranges::count(here, known.subscript, &Equality::text) == 0;
    });
  });
  return common;
}

bool tell_apart(const std::vector<Separator>& first, const std::vector<Separator>& second,
                unsigned axis) {
  return std::ranges::any_of(first, [&](const Separator& separator) {
    return separator.axes[axis] &&
           std::ranges::count(second, separator.subscript, &Separator::subscript) != 0;
  });
}

}  // namespace gridspan::model
