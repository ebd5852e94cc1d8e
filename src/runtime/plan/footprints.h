// What a part of a launch touches of an array, as boxes of its buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/bound_launch.h"
#include "runtime/schedule/block_box.h"

#include <vector>

namespace gridspan::runtime {

struct SetFootprint {
  std::vector<regions::Box> boxes;  // of the buffer's view; may overlap
  bool widened = false;             // the boxes hold more than the set touches
};

/// What `set` of `bound` touches in blocks `part`, in boxes of `view`. Without bounds, or where it
/// would take more than `most_boxes` boxes, that is the whole buffer. Bytes outside of the buffer
/// are left out: a footprint may be larger than what is touched, and BoundLaunch has found the
/// buffer that is.
SetFootprint footprint(const BoundLaunch& launch, const BoundArray& bound, const abi::ModelSet& set,
                       const BlockBox& part, const regions::View& view);
inline constexpr std::size_t most_boxes = 65536;

/// The same in `few` boxes at most, or those that hold all bytes from the first to the last: for
/// whoever compares many footprints.
SetFootprint outlined_footprint(const BoundLaunch& launch, const BoundArray& bound,
                                const abi::ModelSet& set, const BlockBox& part,
                                const regions::View& view, std::size_t few);

/// The view in which a launch best sees the buffer: that of its first array with rows, else the one
/// it has.
regions::View launch_view(const BoundLaunch& launch, const VirtualBuffer& buffer);

}  // namespace gridspan::runtime
