// What the device says about itself in CUDA's terms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

namespace gridspan::runtime {

/// Devices a program sees.
inline constexpr int device_count = 1;

inline Status check_device(int device) {
  if (device >= 0 && device < device_count) return cudaSuccess;
  return refuse(cudaErrorInvalidDevice, "there is no device %d, only %d", device, device_count);
}

// Registers do not limit anything on a CPU. Programs divide by these, so they are what a GPU has
// and what makes every block fit.
inline constexpr int registers_per_multiprocessor = 65536;
inline constexpr int registers_per_thread = 32;

/// Everything cudaGetDeviceProperties reports; cudaDeviceGetAttribute answers from the same struct.
cudaDeviceProp device_properties(const Runtime& state);

}  // namespace gridspan::runtime
