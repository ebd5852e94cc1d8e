// Inputs of the cases: made up, and the same in all forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// Pseudo-random numbers in [low, high).
std::vector<float> numbers(std::size_t count, float low, float high, std::uint32_t seed = 1);

/// Pseudo-random words of 32 bits.
std::vector<unsigned> words(std::size_t count, std::uint32_t seed = 1);

/// Pseudo-random integers in [0, end).
std::vector<int> integers(std::size_t count, int end, std::uint32_t seed = 1);

/// -p log p of 0, 1, ..., `of` of so many.
std::vector<float> entropies(int of);

/// A sparse matrix in compressed rows, or a graph: 1 to 31 entries a row, near and far.
struct Sparse {
  std::vector<int> begin{0}, column;
  std::vector<float> value;
  explicit Sparse(int count);
};

}  // namespace bench
