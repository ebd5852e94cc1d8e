// The polynomials by which MT19937's streams are found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace gridspan::libraries::rand::mt19937 {

/// Streams whose polynomials there are: those of a group, and every group's first.
constexpr int group = 128;

/// Of jumps to streams 0 to group - 1, then to streams 0, group, 2 group and so on: the coefficient
/// of x^0 first. Computed at the first call: 0.1 s.
const std::vector<std::uint32_t>& polynomials();

}  // namespace gridspan::libraries::rand::mt19937
