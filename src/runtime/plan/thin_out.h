// Keeps what a region map knows little: small boxes become part of those beside them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program whose grids shrink (LU) leaves something behind with each step: a row that several
// devices have read and nobody will again, a row whose left part stays on one device while the rest
// goes to another. Each is a box of its own, and whoever looks through the map meets all of them.
//
//     row 0   0  0 1 0 1 0 1        row 0   0  0  0  0        Copies are forgotten where one of the
//     row 1   0   0  0 1 0 1   -->  row 1   0  0  0  0        holders is left: who reads there
//     after row 2   1   0   0  0 1        row 2   0  0  0  0        all copies again. What lies
//     elsewhere row 3   1   1   0  0          row 3   0  0  0  0        is moved to its neighbours'
//     device.
#pragma once

#include "runtime/plan/device_set.h"
#include "runtime/regions/region_map.h"

#include <vector>

namespace gridspan::runtime {

/// What is to be moved to a device.
struct Stray {
  unsigned device;
  std::vector<regions::Box> boxes;
};

/// Small boxes of `holders` keep one holder: that of the box before it if that is one of them.
/// Returns what is very small and has another holder than the box before it; nothing if that is
/// more than an eighth of all bytes. O(boxes).
std::vector<Stray> thin_out(regions::RegionMap<DeviceSet>& holders);

}  // namespace gridspan::runtime
