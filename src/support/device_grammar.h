// GRIDSPAN_DEVICES: which devices a program asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   devices := term { '+' term }
//   term    := WORD | WORD ':' counts | WORD ':' numbers      as the word's row says
//   counts  := COUNT [ 'x' THREADS ]
//   numbers := number { ',' number }
//   number  := INDEX [ 'x' DEVICES ]
#pragma once

#include "support/result.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace gridspan::support {

/// One term of GRIDSPAN_DEVICES; terms are joined by '+'.
struct DeviceTerm {
  std::string_view word = "cpu";  // of the table
  unsigned count = 1;             // cpu:N
  unsigned threads_each = 0;      // cpu:NxT, 0 = share all threads evenly
  std::vector<unsigned> indices;  // cuda:0,2; empty = all; cuda:0x3 is three times 0
  friend bool operator==(const DeviceTerm&, const DeviceTerm&) = default;
};

/// A word that a term may begin with.
struct DeviceWord {
  std::string_view word;
  std::string_view kind;  // of its devices, DeviceFacts::kind
  enum class Detail { none, counts, numbers } detail;
  bool has_own_memory;     // of its devices, which the host does not reach
  std::string_view usage;  // as `gridspan --help` shows the grammar
};

/// A kind of device has its words here, its description in devices/kinds.cpp, and how its devices
/// are made in devices/make_devices.cpp: one row each.
inline constexpr DeviceWord device_words[] = {
    {"cpu", "cpu", DeviceWord::Detail::counts, false, "cpu | cpu:N | cpu:NxT"},
    {"numa", "cpu", DeviceWord::Detail::none, false, "numa"},
    {"cuda", "cuda", DeviceWord::Detail::numbers, true, "cuda[:I[xN],J...]"},
};

/// Of a term that was parsed.
const DeviceWord& word_of(const DeviceTerm& term);

/// Grammar only, not whether such devices are there.
Result<std::vector<DeviceTerm>> parse_devices(std::string_view text);

namespace detail {

inline constexpr std::string_view between_usages = " | ", after_usages = ", joined by '+'";

consteval auto join_usages() {
  constexpr std::size_t bytes = [] {
    std::size_t sum = after_usages.size() - between_usages.size();
    for (const DeviceWord& row : device_words) sum += row.usage.size() + between_usages.size();
    return sum;
  }();
  std::array<char, bytes> text{};
  char* end = text.data();
  for (const DeviceWord& row : device_words) {
    if (end != text.data()) end = std::ranges::copy(between_usages, end).out;
    end = std::ranges::copy(row.usage, end).out;
  }
  std::ranges::copy(after_usages, end);
  return text;
}
inline constexpr auto usages = join_usages();

}  // namespace detail

/// All words' usages, as an option's grammar.
inline constexpr std::string_view device_usage{detail::usages.data(), detail::usages.size()};

}  // namespace gridspan::support
