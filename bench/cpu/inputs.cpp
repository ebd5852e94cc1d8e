// Inputs of the cases, from a linear congruential generator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inputs.h"

#include <cmath>

namespace bench {

namespace {

std::uint32_t next(std::uint32_t& seed) { return seed = seed * 1664525u + 1013904223u; }

}  // namespace

std::vector<float> numbers(std::size_t count, float low, float high, std::uint32_t seed) {
  std::vector<float> all(count);
  for (float& one : all)
    one = low + (high - low) * static_cast<float>(next(seed) >> 8) / 16777216.0f;
  return all;
}

std::vector<unsigned> words(std::size_t count, std::uint32_t seed) {
  std::vector<unsigned> all(count);
  for (unsigned& one : all) {
    const unsigned high = next(seed) >> 16;
    one = high << 16 | next(seed) >> 16;
  }
  return all;
}

std::vector<int> integers(std::size_t count, int end, std::uint32_t seed) {
  std::vector<int> all(count);
  for (int& one : all) one = static_cast<int>((next(seed) >> 8) % static_cast<unsigned>(end));
  return all;
}

std::vector<float> entropies(int of) {
  std::vector<float> all{0};
  for (int count = 1; count <= of; ++count) {
    const double share = double(count) / of;
    all.push_back(static_cast<float>(-share * std::log(share)));
  }
  return all;
}

Sparse::Sparse(int count) {
  std::uint32_t seed = 7;
  const auto size = static_cast<std::uint32_t>(count);
  for (std::uint32_t row = 0; row < size; ++row) {
    const int entries = 1 + static_cast<int>(next(seed) >> 27) % 31;
    for (int i = 0; i < entries; ++i) {
      const std::uint32_t reach = i % 4 == 0 ? size : 64;
      column.push_back(static_cast<int>((row + (next(seed) >> 8) % reach) % size));
      value.push_back(static_cast<float>(seed >> 20) / 4096.0f);
    }
    begin.push_back(static_cast<int>(column.size()));
  }
}

}  // namespace bench
