// Lanes, and how many warps a block has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/strides.h"

#include <algorithm>

namespace gridspan::analysis {

using namespace llvm;

/// Threads are counted along x, then y, then z, 32 to a warp.
isl::pw_aff Evaluator::lane() {
  isl::pw_aff rank = symbols_.constant(0);
  for (unsigned axis : {2, 1, 0}) {
    rank = symbols_.multiply(rank, symbols_.value(symbols_.block_dim(axis)));
    rank = rank.add(symbols_.value(symbols_.thread_index(axis)));
  }
  return symbols_.remainder(rank, isl::val(symbols_.context(), 32));
}

bool Evaluator::is_fixed(const Number& number) const {
  return std::ranges::all_of(model::involved_parameters(number.value),
                             [&](auto& name) { return symbols_.is_parameter(name); });
}

namespace {

/// times * floor((threads + c) / divisor), 0 <= c < divisor, where `threads` is made of the extents
/// of grid and blocks.
struct Quotient {
  isl::val times, divisor;
  isl::pw_aff threads;
};

std::optional<Quotient> quotient_of_launch(const isl::pw_aff& value, const Symbols& symbols) {
  std::vector<Piece> all = pieces(value);
  if (all.size() != 1) return std::nullopt;
  const isl::aff& sum = all[0].value;
  std::optional<Quotient> result;
  for (int i = 0; i < isl_aff_dim(sum.get(), isl_dim_div); ++i) {
    isl::val times = isl::manage(isl_aff_get_coefficient_val(sum.get(), isl_dim_div, i));
    if (times.is_zero()) continue;
    isl::aff exact = isl::manage(isl_aff_get_div(sum.get(), i));
    isl::val divisor = isl::manage(isl_aff_get_denominator_val(exact.get()));
    isl::aff dividend = exact.scale(divisor), rest = sum.sub(exact.floor().scale(times));
    // floor((n - 1) / 32) + 1 is floor((n + 31) / 32).
    if (result || !rest.is_cst() || !times.is_pos()) return std::nullopt;
    const isl::val more = rest.constant_val().div(times).mul(divisor);
    const isl::val added = dividend.constant_val().add(more);
    if (!added.is_int() || added.is_neg() || added.ge(divisor)) return std::nullopt;
    dividend = dividend.add_constant(dividend.constant_val().neg());
    result = Quotient{times, divisor, isl::pw_aff(dividend)};
  }
  const std::vector<std::string> involved = model::involved_parameters(value);
  const bool is_of_launch = std::ranges::all_of(involved, [&](auto& name) {
    return std::ranges::all_of(symbols[name].monomial, is_launch_parameter);
  });
  return is_of_launch ? result : std::nullopt;
}

}  // namespace

/// A block has blockDim.x / 32 warps, or, rounded up, (blockDim.x + 31) / 32. With blocks of whole
/// warps, which nearly all programs have, both are the same, and no warp does what one of the next
/// block does as well: so that is what the launch has to have. The count then is a parameter of the
/// launch that is never less than 1, 32 of which are blockDim.x.
Number Evaluator::whole_warps(Number count, const Instruction& user) {
  const std::optional<Quotient> quotient = quotient_of_launch(count.value, symbols_);
  if (!quotient) return count;
  const isl::pw_aff& threads = quotient->threads;
  const isl::set whole = threads.mod(quotient->divisor).eq_set(symbols_.constant(0));
  require_condition(count.uses, whole, source_point(user));
  const isl::pw_aff least = symbols_.constant(0).add_constant(quotient->times);
  count.value = symbols_.value(
      symbols_.whole_count(count.value.max(least), threads, quotient->times, quotient->divisor));
  return count;
}

}  // namespace gridspan::analysis
