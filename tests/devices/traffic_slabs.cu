// A stencil that is four times as long as it is wide stays in slabs: cuts along it would be long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64 x 264 rows of 256 bytes. Four slabs have three cuts of 64 rows; 2 x 2 parts would have one of
// 64 and one of 264. The host's data arrives in these slabs, without the rows across the cuts; the
// first steps may follow the bytes as they arrived, until equal parts pay.
//
// TRAFFIC cpu:2x1 device_to_device_bytes <= 60 * 2 * 1 * 64 * 256
// TRAFFIC cpu:4x1 device_to_device_bytes <= 60 * 2 * 3 * 64 * 256
// TRAFFIC cpu:6x1 device_to_device_bytes <= 60 * 2 * 5 * 64 * 256
// TRAFFIC cpu:4x1 device_to_device_copies <= 60 * 2 * 3
// TRAFFIC cpu:4x1 launches_changed_over <= 2
// TRAFFIC cpu:6x1 launches_changed_over <= 2
#include "planes.h"

int main() {
  planes::smooth_planes(64, 264, planes::steps(60));
  return planes::finish();
}
