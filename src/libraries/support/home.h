// What kind of device kernels of the current device run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

namespace gridspan::libraries {

/// A GPU has its own memory. What is written for the vectors and caches of a CPU is slower there
/// than one element a thread.
inline bool is_home_on_gpu() {
  int device = 0, is_in_host_memory = 1;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&is_in_host_memory, cudaDevAttrIntegrated, device) == cudaSuccess &&
         is_in_host_memory == 0;
}

}  // namespace gridspan::libraries
