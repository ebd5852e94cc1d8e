// What the device says about itself in CUDA's terms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

namespace gridspan::runtime {

/// Devices the program sees.
inline int device_count(const Runtime& state) {
  return state.options.no_device ? 0 : static_cast<int>(state.options.virtual_gpus);
}

inline Status check_device(const Runtime& state, int device) {
  if (device >= 0 && device < device_count(state)) return cudaSuccess;
  return refuse(cudaErrorInvalidDevice, "there is no device %d, only %d (GRIDSPAN_VIRTUAL_GPUS)",
                device, device_count(state));
}

// Registers do not limit anything on a CPU. Programs divide by these, so they are what a GPU has
// and what makes every block fit.
inline constexpr int registers_per_multiprocessor = 65536;
inline constexpr int registers_per_thread = 32;

/// Everything cudaGetDeviceProperties reports; cudaDeviceGetAttribute answers from the same struct.
cudaDeviceProp device_properties(const Runtime& state, int device);

/// What one of the program's devices has of all memory, as far as programs are told. They divide it
/// by what they are told; any device may in fact use all of it.
std::size_t share_of_memory(const Runtime& state);

}  // namespace gridspan::runtime
