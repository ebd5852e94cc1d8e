// What arrays hold at first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

/// Numbers that look arbitrary, in [low, high).
inline auto numbers(float low, float high) {
  return [=](std::size_t i) {
    const auto mixed = static_cast<std::uint32_t>(i * 2654435761u) >> 8;
    return low + (high - low) * static_cast<float>(mixed) / static_cast<float>(1 << 24);
  };
}

}  // namespace bench
