// Blocks of a grid that lie together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/dim.h"

#include <cstdint>

namespace gridspan::runtime {

inline constexpr unsigned axis_count = 3;

inline std::uint32_t& along(abi::Dim& dim, unsigned axis) {
  return axis == 0 ? dim.x : axis == 1 ? dim.y : dim.z;
}
inline std::uint32_t along(const abi::Dim& dim, unsigned axis) {
  return axis == 0 ? dim.x : axis == 1 ? dim.y : dim.z;
}

inline bool are_equal(const abi::Dim& a, const abi::Dim& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// A box of blocks; not empty.
struct BlockBox {
  abi::Dim first, count;
};

}  // namespace gridspan::runtime
