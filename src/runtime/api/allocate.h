// The one way of allocations that the program asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

namespace gridspan::runtime {

/// Allocates; when there is no room, lets queued cudaFreeAsync run and tries again.
Status allocate(Runtime& state, void** pointer, std::size_t size, MemoryKind kind,
                unsigned flags = 0);

}  // namespace gridspan::runtime
