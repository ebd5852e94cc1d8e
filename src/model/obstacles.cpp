// What a kernel does beside its accesses, and what that forbids.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/proof.h"

#include <algorithm>

namespace gridspan::model {
namespace {

const Remark* first_remark(const Kernel& kernel, bool (*which)(Obstacle)) {
  const auto found = std::ranges::find_if(
      kernel.remarks, [&](const Remark& remark) { return which(remark.obstacle); });
  return found == kernel.remarks.end() ? nullptr : &*found;
}

bool is_beyond_the_arrays(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::loaded_pointer:
    case Obstacle::unknown_pointer:
    case Obstacle::device_malloc:
    case Obstacle::grid_barrier:
    case Obstacle::call:
    case Obstacle::assembly:
    case Obstacle::too_complex:
    case Obstacle::pointer_value:
      return true;
    case Obstacle::atomic_result:
    case Obstacle::printf:
    case Obstacle::clock:
    case Obstacle::fence:
    case Obstacle::volatile_access:
    case Obstacle::trap:
      return false;
  }
  return true;
}

}  // namespace

const Remark* forbids_cuts(const Kernel& kernel) {
  return first_remark(kernel, is_beyond_the_arrays);
}

const Remark* needs_one_order(const Kernel& kernel) {
  return first_remark(kernel,
                      [](Obstacle obstacle) { return obstacle == Obstacle::atomic_result; });
}

const Remark* makes_races_matter(const Kernel& kernel) {
  return first_remark(kernel, [](Obstacle obstacle) {
    return obstacle == Obstacle::fence || obstacle == Obstacle::volatile_access;
  });
}

void forbid_cuts(Kernel& kernel, const Remark& why) {
  for (AxisSplit& axis : kernel.axes) {
    axis.legal = isl::set::empty(kernel.context.space());
    axis.reason = why.text;
    axis.reason_where = why.where;
    axis.cost.clear();
  }
  kernel.suggested_axis = -1;
  kernel.rung = Rung::one_device;
  kernel.rung_reason = why.text;
}

}  // namespace gridspan::model
