// Constraints sorted by the subscript they are about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/box_factors.h"

#include "codegen/constraints.h"
#include "codegen/isl_code.h"

#include <bit>
#include <set>

namespace gridspan::codegen {

namespace {

/// Subscripts as bits.
using Mask = unsigned;

unsigned size(isl_size count) { return static_cast<unsigned>(count); }

/// Which subscripts each quotient of a convex set is made of.
std::vector<Mask> quotient_masks(const isl::basic_set& piece) {
  std::vector<Mask> masks;
  const unsigned rank = size(isl_basic_set_dim(piece.get(), isl_dim_set));
  const unsigned count = size(isl_basic_set_dim(piece.get(), isl_dim_div));
  for (unsigned i = 0; i < count; ++i) {
    const isl::aff quotient =
        checked(piece.ctx(), isl_basic_set_get_div(piece.get(), static_cast<int>(i)));
    Mask mask = 0;
    for (unsigned dim = 0; dim < rank; ++dim)
      if (isl_aff_involves_dims(quotient.get(), isl_dim_in, dim, 1) != isl_bool_false)
        mask |= 1u << dim;
    for (unsigned other = 0; other < i; ++other)
      if (isl_aff_involves_dims(quotient.get(), isl_dim_div, other, 1) != isl_bool_false)
        mask |= masks[other];
    masks.push_back(mask);
  }
  return masks;
}

Mask subscripts_of(isl_constraint* constraint, unsigned rank, const std::vector<Mask>& quotients) {
  Mask mask = 0;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (isl_constraint_involves_dims(constraint, isl_dim_set, dim, 1) != isl_bool_false)
      mask |= 1u << dim;
  for (unsigned i = 0; i < quotients.size(); ++i)
    if (isl_constraint_involves_dims(constraint, isl_dim_div, i, 1) != isl_bool_false)
      mask |= quotients[i];
  return mask;
}

/// The factors of one convex set, and behind them the constraints on parameters alone.
std::optional<std::vector<isl::set>> factors_of_piece(const isl::basic_set& piece) {
  const std::vector<Mask> quotients = quotient_masks(piece);
  const unsigned rank = size(isl_basic_set_dim(piece.get(), isl_dim_set));
  const isl::basic_set all = checked(piece.ctx(), isl_basic_set_universe(piece.space().release()));
  std::vector<isl::basic_set> parts(rank + 1, all);
  for (Constraint& constraint : constraints_of(piece)) {
    const Mask mask = subscripts_of(constraint.get(), rank, quotients);
    if (std::popcount(mask) > 1) return std::nullopt;
    isl::basic_set& part = parts[mask ? static_cast<unsigned>(std::countr_zero(mask)) : rank];
    part = checked(piece.ctx(), isl_basic_set_add_constraint(part.copy(), constraint.release()));
  }
  std::vector<isl::set> factors;
  for (unsigned i = 0; i < rank; ++i) {
    isl_basic_set* raw =
        isl_basic_set_project_out(parts[i].copy(), isl_dim_set, i + 1, rank - i - 1);
    factors.push_back(
        checked(piece.ctx(), isl_basic_set_project_out(raw, isl_dim_set, 0, i)).to_set());
  }
  factors.push_back(parts[rank].params());
  return factors;
}

/// The index of `value` among `known`, to which it is added if it is new.
std::size_t index_in(std::vector<isl::set>& known, const isl::set& value) {
  for (std::size_t i = 0; i < known.size(); ++i)
    if (isl_set_plain_is_equal(known[i].get(), value.get()) == isl_bool_true) return i;
  known.push_back(value);
  return known.size() - 1;
}

}  // namespace

std::optional<Factors> factors_of(const isl::set& set) {
  const unsigned rank = set.tuple_dim();
  std::vector<std::vector<isl::set>> known(rank + 1);  // different factors; conditions
  std::set<std::vector<std::size_t>> combinations;
  bool separable = rank > 0 && rank < 32;
  with_known_quotients(set).foreach_basic_set([&](const isl::basic_set& piece) {
    const auto factors = separable ? factors_of_piece(piece) : std::nullopt;
    separable = factors.has_value();
    if (!separable) return;
    std::vector<std::size_t> combination;
    for (unsigned i = 0; i <= rank; ++i) combination.push_back(index_in(known[i], (*factors)[i]));
    combinations.insert(std::move(combination));
  });
  if (!separable || known[rank].size() != 1) return std::nullopt;
  std::size_t all = 1;
  Factors result{known[rank][0], {}};
  for (unsigned i = 0; i < rank; ++i) {
    all *= known[i].size();
    isl::set values = known[i][0];
    for (std::size_t j = 1; j < known[i].size(); ++j) values = values.unite(known[i][j]);
    result.values.push_back(values);
  }
  if (combinations.size() != all) return std::nullopt;
  return result;
}

}  // namespace gridspan::codegen
