// Finds what a person probably meant.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string_view>

namespace gridspan::support {

/// Number of single-letter insertions, deletions, replacements and swaps of neighbours.
unsigned edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word` if it is near enough to be a slip, else empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace gridspan::support
