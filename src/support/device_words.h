// The words of GRIDSPAN_DEVICES: one row each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/device_grammar.h"

#include <algorithm>
#include <array>

namespace gridspan::support {

/// A kind of device has its words here, its description in devices/kinds.cpp, and how its devices
/// are made in devices/make_devices.cpp: one row each.
inline constexpr DeviceWord device_words[] = {
    {"cpu", "cpu", DeviceWord::Detail::counts, false, "cpu | cpu:N | cpu:NxT",
     "cpu:N divides all threads among N devices, cpu:NxT gives each T. A thread too few is "
     "shared.\n"},
    {"numa", "cpu", DeviceWord::Detail::none, false, "numa",
     "numa makes one device of each NUMA node.\n"},
    {"cuda", "cuda", DeviceWord::Detail::numbers, true, "cuda[:I[xN],J...]",
     "cuda is every GPU, cuda:I,J those with these numbers, and cuda:IxN makes N devices of one,\n"
     "with separate memories.\n"},
};

namespace detail {

inline constexpr std::string_view nothing, between_usages = " | ",
                                           after_usages = ", joined by '+'; or auto, or none";
inline constexpr std::string_view before_help =
    "The devices behind the one device the program sees, each with a memory of its own, at most "
    "64.\n";
inline constexpr std::string_view after_help =
    "auto is cuda if there are GPUs that can be used, every kernel has code for them, and no\n"
    "variable is set that only CPUs heed (GRIDSPAN_THREADS, GRIDSPAN_VERIFY ...), else cpu.\n"
    "none: calls of CUDA answer that there is no device, so that a program takes its other path.";

/// That part of all rows, in one text.
template <std::string_view DeviceWord::* part, const std::string_view& before,
          const std::string_view& between, const std::string_view& after>
consteval auto join() {
  constexpr std::size_t bytes = [] {
    std::size_t sum = before.size() + after.size() - between.size();
    for (const DeviceWord& row : device_words) sum += (row.*part).size() + between.size();
    return sum;
  }();
  std::array<char, bytes> text{};
  char* end = std::ranges::copy(before, text.data()).out;
  for (const DeviceWord& row : device_words) {
    if (&row != device_words) end = std::ranges::copy(between, end).out;
    end = std::ranges::copy(row.*part, end).out;
  }
  std::ranges::copy(after, end);
  return text;
}
inline constexpr auto usages = join<&DeviceWord::usage, nothing, between_usages, after_usages>();
inline constexpr auto help = join<&DeviceWord::help, before_help, nothing, after_help>();

}  // namespace detail

/// All words' usages, as an option's grammar.
inline constexpr std::string_view device_usage{detail::usages.data(), detail::usages.size()};
/// What they mean, in lines.
inline constexpr std::string_view device_help{detail::help.data(), detail::help.size()};

}  // namespace gridspan::support
