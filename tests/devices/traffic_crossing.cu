// A square stencil is cut along two axes: that moves less.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 66 x 70 rows of 256 bytes. Four slabs have three cuts of 66 rows, which cross each in both
// directions at each step; 2 x 2 parts have one of 66 and one of 70 rows, 6 parts 2 x 3 have one of
// 66 or two, and two of 70 or one. A corner is the row that parts across it may read, too (what a
// part reads is a box). The host's data arrives in slabs, so that the first steps are done in
// slabs. Until a step changes over they move as much in excess as the change, which costs half of
// the array at most and is counted a little higher than its bytes; there are two kinds of steps,
// back and forth. All in all that is below four arrays.
//
// TRAFFIC cpu:4x1 device_to_device_bytes <= (300 * (2 * (66 + 70) + 4) + 4 * 66 * 70) * 256
// TRAFFIC cpu:6x1 device_to_device_bytes <= (300 * (2 * (66 + 2 * 70) + 8) + 4 * 66 * 70) * 256
// TRAFFIC cpu:4x1 launches_changed_over >= 1
// TRAFFIC cpu:4x1 launches_changed_over <= 2
// TRAFFIC cpu:6x1 launches_changed_over >= 1
// TRAFFIC cpu:6x1 launches_changed_over <= 2
// The first steps on two devices may follow the bytes as they arrived, until equal parts pay.
//
// TRAFFIC cpu:2x1 launches_changed_over <= 2
// TRAFFIC cpu:4x1 launches_exact == 300
// TRAFFIC cpu:4x1 parts == 300 * 4
// TRAFFIC cpu:6x1 parts == 300 * 6
#include "planes.h"

int main() {
  planes::smooth_planes(66, 70, planes::steps(300));
  return planes::finish();
}
