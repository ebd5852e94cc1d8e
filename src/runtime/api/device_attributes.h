// cudaDeviceAttr answered from cudaDeviceProp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/cuda_api.h"

#include <optional>

namespace gridspan::runtime {

/// Nothing for a number that is no attribute.
std::optional<int> device_attribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

}  // namespace gridspan::runtime
