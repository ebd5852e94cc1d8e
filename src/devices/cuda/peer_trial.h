// Does what one GPU reads of another's memory arrive?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpu_context.h"

#include <string>

namespace gridspan::devices::cuda {

/// Copies bytes from memory of `owner` to memory of `reader`, in the ways that copies of boxes are
/// made. Empty if all arrive; else what went wrong, in one line. Memory of `owner` is made such
/// that `reader` may use it (Peers::users).
std::string try_peers(const GpuContext& reader, const GpuContext& owner);

}  // namespace gridspan::devices::cuda
