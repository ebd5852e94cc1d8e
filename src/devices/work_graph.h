// Work that a device has taken over as a whole, to begin it again and again with one call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::devices {

/// What Device::make_graph makes; its own. It may go while the device is still at it.
class WorkGraph {
 public:
  WorkGraph() = default;
  virtual ~WorkGraph() = default;
  WorkGraph(const WorkGraph&) = delete;
  WorkGraph& operator=(const WorkGraph&) = delete;
};

}  // namespace gridspan::devices
