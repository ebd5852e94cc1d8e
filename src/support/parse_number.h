// Reads a whole number and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace gridspan::support {

/// All of `text` as a decimal number in [least, most]; no sign, no spaces.
inline std::optional<unsigned> parse_number(std::string_view text, unsigned least, unsigned most) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || value < least || value > most) return std::nullopt;
  return value;
}

}  // namespace gridspan::support
