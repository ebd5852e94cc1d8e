// Pieces of the host's memory that may be mapped into a GPU's ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpu_context.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace gridspan::devices::cuda {

/// `count` page-locked pieces of `length(index)` bytes, multiples of the GPU's granularity. Empty
/// if the driver has too little for all of them. The pages are cleared: several threads do that.
std::vector<Physical> make_host_units(const GpuContext& gpu, std::size_t count,
                                      const std::function<std::size_t(std::size_t)>& length);

}  // namespace gridspan::devices::cuda
