// How the work of a launch is spread over its blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody says how long a block takes. What it touches is known, and where loops are triangular
// (for j = i .. n) it grows or shrinks with the block. That is taken for the work.
#pragma once

#include "runtime/plan/bound_launch.h"

#include <array>
#include <cstdint>
#include <vector>

namespace gridspan::runtime {

/// Of one grid axis.
class AxisProfile {
 public:
  /// All blocks have the same.
  AxisProfile() = default;
  /// `work` of so many stretches of equal length.
  explicit AxisProfile(const std::vector<double>& work);

  bool is_even() const { return before_.empty(); }
  /// The part of all work that lies before the place, both from 0 to 1.
  double before(double place) const;
  /// Before which place that part of the work lies.
  double place_of(double work) const;

 private:
  std::vector<double> before_;  // the ends of stretches, and 0
};

struct WorkProfile {
  double block_bytes = 0;  // what a block touches, in the mean
  std::array<AxisProfile, 3> axes;
};

/// Bytes that a block touches. Of what has no bounds each thread touches a line of the cache.
double bytes_of_block(const BoundLaunch& launch, const abi::Dim& block);
/// Of the one in the middle of the grid.
double bytes_of_middle_block(const BoundLaunch& launch, const abi::Dim& grid);

/// From some blocks: few where these are alike.
WorkProfile work_profile(const BoundLaunch& launch, const abi::Dim& grid);

}  // namespace gridspan::runtime
