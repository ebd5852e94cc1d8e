// Copies with many forms, as the run-time API takes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/driver/call.h"

namespace gridspan::runtime::driver {

/// The driver counts in bytes, the run-time API in texels where an array takes part: what is no
/// whole number of them is refused.
cudaError_t to_parameters(const CUDA_MEMCPY3D& request, cudaMemcpy3DParms& parameters);

/// And back, of a copy in a graph: arrays have become the memory they are.
CUDA_MEMCPY3D to_request(const cudaMemcpy3DParms& parameters);

CUDA_MEMCPY3D to_3d(const CUDA_MEMCPY2D& copy);

/// Addresses say which device memory is on.
CUDA_MEMCPY3D without_contexts(const CUDA_MEMCPY3D_PEER& copy);

}  // namespace gridspan::runtime::driver
