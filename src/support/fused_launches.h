// Launches that follow one another and are to be one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::support {

/// All have the same grid and block.
struct FusedLaunches {
  struct Launch {
    std::string kernel;  // mangled
    /// A number for each argument: equal numbers, equal values. Numbers are given in the order in
    /// which values are first met; each is a parameter of the one kernel.
    std::vector<unsigned> values;
    friend bool operator==(const Launch&, const Launch&) = default;
  };
  std::vector<Launch> launches;
  std::array<bool, 3> one_block{}, one_thread{};  // along that axis, in the grid and in a block
  /// Pointers to arrays that nobody reads afterwards: they need not be written. Sorted.
  std::vector<unsigned> dead;

  /// What the kernel is called: "_Z1fPf+_Z1gPf".
  std::string name() const;
  unsigned value_count() const;
  friend bool operator==(const FusedLaunches&, const FusedLaunches&) = default;
};

/// "_Z1fPfi(0,1)+_Z1gPfi(2,1)/blocks=yz/threads=yz/dead=0".
std::string to_text(const FusedLaunches& launches);

/// What to_text made, or nothing.
std::optional<FusedLaunches> parse_fused_launches(std::string_view text);

}  // namespace gridspan::support
