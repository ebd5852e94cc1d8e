// The direction vectors of Sobol's sequences, and the constants that scramble them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S. Joe, F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections, 2008:
// primitive polynomials in order, their initial numbers in the first 40 dimensions. In those
// beyond, initial numbers are drawn at random: each dimension is as even as theirs, pairs of
// dimensions are less so. Scrambling: J. Matousek, On the L2-discrepancy for anchored boxes, 1998:
// a random lower triangular matrix times a dimension's, and a random start.
#pragma once

#include <cstdint>
#include <vector>

namespace gridspan::libraries::rand {

constexpr int most_dimensions = 20000;

/// One dimension's vectors behind the other's, as many as Word has bits; the first dimensions
/// only. O(dimensions), but for the last ones, whose polynomials are rare.
template <typename Word>
std::vector<Word> direction_vectors(int dimensions, bool scrambled);

/// One for each dimension.
template <typename Word>
std::vector<Word> scramble_constants(int dimensions);

}  // namespace gridspan::libraries::rand
