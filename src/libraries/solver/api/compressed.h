// Compressed rows, or columns, that grow at their end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace gridspan::libraries::solver {

/// From 0. `T` may be a number of the matrix, or where that is.
template <typename T>
struct Compressed {
  std::vector<int> offsets = {0}, indices;
  std::vector<T> values;

  void add(int index, T value) {
    indices.push_back(index);
    values.push_back(value);
  }
  /// Ends a row. Throws bad_alloc if there are more elements than int counts.
  void end() {
    if (indices.size() > INT32_MAX) throw std::bad_alloc();
    offsets.push_back(static_cast<int>(indices.size()));
  }

  /// Columns for rows, `count` of them; indices of each come in order.
  Compressed turned(int count) const {
    Compressed result;
    result.offsets.assign(static_cast<std::size_t>(count) + 1, 0);
    result.indices.resize(indices.size());
    result.values.resize(values.size());
    for (const int index : indices) ++result.offsets[index + 1];
    for (int i = 0; i < count; ++i) result.offsets[i + 1] += result.offsets[i];
    std::vector<int> next(result.offsets.begin(), result.offsets.end() - 1);
    for (std::size_t j = 0; j + 1 < offsets.size(); ++j)
      for (int k = offsets[j]; k < offsets[j + 1]; ++k) {
        const int to = next[indices[k]]++;
        result.indices[to] = static_cast<int>(j);
        result.values[to] = values[k];
      }
    return result;
  }
};

}  // namespace gridspan::libraries::solver
