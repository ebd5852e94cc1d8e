// Where parts would be cut if they followed the bytes they touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid that shrinks or moves from launch to launch is cut elsewhere each time, if parts are
// equal, and each time some rows change over to another device:
//
//     launch 1   |  0  |  0  |  1  |  1  |
//     launch 2         |  0  | 0 : 1 |  1  |        equal parts: the rows between : and | move
//     launch 2         |  0  |  1  |  1  |          parts that follow: nothing does
//
// So a launch has one more way, as long as its parts differ little: cut where the bytes of one
// device end and those of the next begin.
#pragma once

#include "runtime/plan/cut.h"
#include "runtime/plan/launch_plan.h"

#include <cstdint>
#include <vector>

namespace gridspan::runtime {

/// The axis along which the plan's parts are cut, of a grid of at least two parts.
unsigned axis_of(const LaunchPlan& plan, const abi::Dim& grid);

/// Parts as those of `way`, which is cut along one axis, but moved to where the bytes are that most
/// of the work goes to: with as many blocks as they have there, or a 16th more. None if those do
/// not lie in the order of the parts, or if `way` follows them as it is.
std::vector<CutPart> following_parts(const LaunchPlan& way, const abi::Dim& grid,
                                     std::uint32_t granularity);

}  // namespace gridspan::runtime
