// Distances that an offset's terms step by, and which of them may be strides of the array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/raw_access.h"

namespace gridspan::analysis {

/// A distance in elements: a number times a product of parameters.
struct Stride {
  long number = 1;
  Monomial product;
  friend bool operator==(const Stride&, const Stride&) = default;
};

/// Of an array, longest first, each a multiple of the next; the last is 1.
using Strides = std::vector<Stride>;

/// One symbol of an offset: coefficient * symbol, where the symbol is a product of `extents`
/// (integer arguments and what is computed from them) and `rest` (dimensions, gridDim, blockDim).
struct Term {
  std::string symbol;
  long coefficient;
  Monomial extents, rest;
  bool varies;  // not a parameter
};

/// One expression of an access.
struct Offset {
  const RawAccess* access;
  std::size_t index;  // of the access
  isl::set domain;    // of the piece, with that of the access and definitions
  isl::set asked;     // the same without data that `value` does not depend on
  isl::aff value;     // in elements, once known
  std::vector<Term> terms;
  bool is_data = false;
  std::vector<std::string> lost_data;  // projected out of both domains
};

std::vector<Term> terms_of(const isl::aff& value, const Symbols& symbols);

bool is_launch_parameter(const std::string& name);

/// a / b if b's factors are all among a's.
std::optional<Monomial> quotient(const Monomial& a, const Monomial& b);

/// Which strides to try, the most dimensions first. The last is one-dimensional: {1}.
std::vector<Strides> candidate_strides(const std::vector<Offset>& offsets, const Symbols& symbols);

/// Does the same grid axis occur on both sides of this stride (16*blockIdx.x + threadIdx.x)?
bool shares_axis(const Offset& offset, const Stride& stride, const Symbols& symbols);

/// How many subscripts step by different distances along different axes or loops (64*y + x).
unsigned mixed_strides(const std::vector<isl::aff>& subscripts, const Symbols& symbols);

}  // namespace gridspan::analysis
