// A buffer as a plain array of bytes: the reference region maps are held against.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace gridspan::tests {

/// The indices of a position, one dimension after the other.
inline std::array<std::int64_t, runtime::regions::max_rank> indices_of(
    const runtime::regions::View& view, std::int64_t position) {
  std::array<std::int64_t, runtime::regions::max_rank> indices{};
  for (int i = view.rank - 1; i > 0; --i) {
    indices[static_cast<std::size_t>(i)] = position % view.extent(i);
    position /= view.extent(i);
  }
  indices[0] = position;
  return indices;
}

inline bool holds_position(const runtime::regions::View& view, const runtime::regions::Box& box,
                           std::int64_t position) {
  const auto indices = indices_of(view, position);
  for (int i = 0; i < view.rank; ++i) {
    const std::int64_t index = indices[static_cast<std::size_t>(i)];
    if (index < box[i].begin || index >= box[i].end) return false;
  }
  return true;
}

/// Is byte `byte` of the buffer in the box?
inline bool holds_byte(const runtime::regions::View& view, const runtime::regions::Box& box,
                       std::int64_t byte) {
  return holds_position(view, box, byte + view.phase);
}

/// Calls take(byte) for the bytes of the buffer in the box.
template <class Take>
void for_each_byte(const runtime::regions::View& view, const runtime::regions::Box& box, Take take,
                   int dimension = 0, std::int64_t index = 0) {
  if (dimension == view.rank) {
    const std::int64_t byte = index - view.phase;
    if (byte >= 0 && byte < view.bytes) take(byte);
    return;
  }
  const std::int64_t extent = view.extent(dimension);
  const std::int64_t end = std::min(box[dimension].end, extent);
  for (std::int64_t i = std::max<std::int64_t>(box[dimension].begin, 0); i < end; ++i)
    for_each_byte(view, box, take, dimension + 1, index * extent + i);
}

inline std::int64_t between(std::mt19937& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

/// An array of 1 to `most_rank` dimensions somewhere in or around a small buffer.
struct RandomArray {
  RandomArray(std::mt19937& random, std::int64_t most_rank) {
    static constexpr std::int64_t extents[] = {1, 2, 3, 4, 5, 7, 11};
    const std::int64_t rank = between(random, 1, most_rank);
    for (std::int64_t i = 1; i < rank; ++i) inner.push_back(extents[random() % 7]);
    offset = between(random, -60, 120);
    element_bytes = between(random, 1, 3);
  }
  runtime::regions::ArrayShape shape() const { return {offset, element_bytes, inner}; }

  std::vector<std::int64_t> inner;
  std::int64_t offset, element_bytes;
};

inline runtime::regions::View random_view(std::mt19937& random, std::int64_t bytes) {
  return array_view(bytes, RandomArray(random, 5).shape());
}

/// Sometimes empty, sometimes beyond the view.
inline runtime::regions::Box random_box(std::mt19937& random, const runtime::regions::View& view) {
  runtime::regions::Box box;
  box.rank = view.rank;
  for (int i = 0; i < view.rank; ++i) {
    const std::int64_t extent = view.extent(i);
    box[i] = {0, extent};
    if (random() % 3 == 0) continue;
    const std::int64_t begin = between(random, -1, extent);
    box[i] = {begin, begin + between(random, 0, 1 + extent / (1 + random() % 4))};
  }
  return box;
}

}  // namespace gridspan::tests
