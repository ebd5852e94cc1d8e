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

#include <cstdint>
#include <vector>

namespace gridspan::runtime {

/// What is to be moved to a device.
struct Stray {
  unsigned device;
  std::vector<regions::Box> boxes;
};

struct Thinned {
  /// What is very small and has another holder than the box before it; nothing if that is more than
  /// an eighth of all bytes.
  std::vector<Stray> strays;
  std::vector<regions::Box> forgotten;  // boxes that had several holders
};

/// Small boxes of `holders` keep one holder: that of the box before it if that is one of them.
/// O(boxes).
Thinned thin_out(regions::RegionMap<DeviceSet>& holders);

/// Whether boxes whose copies were forgotten are wanted again: then nobody gains from it.
class ForgottenBoxes {
 public:
  void note(std::vector<regions::Box> boxes);
  void clear() { note({}); }
  /// A device lacks the box. O(boxes that were forgotten), of which at most 256 are kept.
  void note_lacking(const regions::Box& box);
  /// Half of the bytes and more.
  bool are_wanted() const { return wanted_ * 2 >= bytes_ && bytes_ != 0; }

 private:
  std::vector<regions::Box> boxes_;
  std::int64_t bytes_ = 0, wanted_ = 0;
};

}  // namespace gridspan::runtime
