// Whether NVML is initialised, and what its handles mean.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/cuda_api.h"
#include "runtime/api/device_properties.h"

// What a program calls is shown by the library.
#pragma GCC visibility push(default)
#include <nvml.h>
#pragma GCC visibility pop

#include <cstring>
#include <string_view>

namespace gridspan::runtime::nvml {

/// Counted: as many shutdowns end it.
void initialise();
nvmlReturn_t shut_down();
bool is_initialised();

nvmlDevice_t handle_of(int ordinal);

/// `read(ordinal, properties)` of the device behind a handle, if all is well.
template <class Read>
nvmlReturn_t with_device(nvmlDevice_t device, Read read) {
  if (!is_initialised()) return NVML_ERROR_UNINITIALIZED;
  const int count = device_count(runtime());
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    if (handle_of(ordinal) != device) continue;
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) return NVML_ERROR_UNKNOWN;
    return read(ordinal, properties);
  }
  return NVML_ERROR_INVALID_ARGUMENT;
}

inline nvmlReturn_t not_supported(nvmlDevice_t device) {
  return with_device(device, [](int, const cudaDeviceProp&) { return NVML_ERROR_NOT_SUPPORTED; });
}

/// Copies a text with its final zero.
inline nvmlReturn_t answer(std::string_view text, char* to, unsigned length) {
  if (!to) return NVML_ERROR_INVALID_ARGUMENT;
  if (text.size() >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.data(), text.size());
  to[text.size()] = '\0';
  return NVML_SUCCESS;
}

}  // namespace gridspan::runtime::nvml
