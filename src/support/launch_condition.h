// What launches have in common that a specialised kernel is made for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gridspan::support {

/// What is not named may be anything. Scalars are by parameter; of numbers in fewer than 8 bytes
/// the rest is zero.
struct LaunchCondition {
  using Size = std::array<std::uint32_t, 3>;
  std::optional<Size> block;
  std::map<unsigned, std::uint64_t> scalars;

  bool is_empty() const { return !block && scalars.empty(); }
  /// How many numbers it fixes.
  std::size_t size() const { return (block ? 3 : 0) + scalars.size(); }
  friend bool operator==(const LaunchCondition&, const LaunchCondition&) = default;
};

/// "block=32x8x1,arg2=400": scalars in hexadecimal. Fit for a file's name.
std::string to_text(const LaunchCondition& condition);

/// What to_text made, or nothing.
std::optional<LaunchCondition> parse_condition(std::string_view text);

}  // namespace gridspan::support
