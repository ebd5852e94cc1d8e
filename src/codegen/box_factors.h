// Sets as products of sets of rank 1, read off their constraints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no constraint relates two subscripts, a convex set is the product of one factor for each:
//
//   { A[i, j] : 16b <= i < 16b + 16 and i < n and 0 <= j < m and b >= 0 }
//     = { [i] : 16b <= i < 16b + 16 and i < n } x { [j] : 0 <= j < m }  where  b >= 0
//
// Nothing is projected: that takes isl long, and leaves quotients behind.
#pragma once

#include "model/isl.h"

#include <optional>
#include <vector>

namespace gridspan::codegen {

/// Values of one subscript: pieces of a set of rank 1, possibly with conditions on parameters.
struct Factors {
  isl::set condition;            // over parameters
  std::vector<isl::set> values;  // of each subscript
};

/// The factors whose product `set` is, of a union if its pieces are all combinations of factors;
/// nothing if constraints do not tell.
std::optional<Factors> factors_of(const isl::set& set);

}  // namespace gridspan::codegen
