// Memory of the host that GPUs reach at its own address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpu_context.h"

#include <cstddef>

namespace gridspan::devices::cuda {

/// Null if there is no room. Much memory is cleared by several threads first, and locked then: the
/// driver, which does both with one, takes ten times as long. Thread safe.
void* take_page_locked(const GpuContext& gpu, std::size_t bytes);
void give_back_page_locked(const GpuContext& gpu, void* memory);

/// The host's own memory can be made such memory.
bool can_lock_pages(const GpuContext& gpu);

}  // namespace gridspan::devices::cuda
