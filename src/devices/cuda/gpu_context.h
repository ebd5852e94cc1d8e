// The driver's context of one GPU, which all devices on it share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/driver.h"

#include <cstddef>

namespace gridspan::devices::cuda {

struct GpuContext {
  const Driver& driver;
  Gpu gpu;
  Context context;
  std::size_t granularity;  // of memory
  int host_node = -1;       // whose memory may lie in ranges of the GPU's; none

  PhysicalProperties memory_properties() const {
    return {memory_pinned, 0, {location_device, gpu}, nullptr, {}};
  }
  PhysicalProperties host_properties() const {
    return {memory_pinned, 0, {location_host_node, host_node}, nullptr, {}};
  }
  /// The calling thread's calls are about this GPU from now on. Cheap.
  Result make_current() const { return driver.cuCtxSetCurrent(context); }
};

}  // namespace gridspan::devices::cuda
