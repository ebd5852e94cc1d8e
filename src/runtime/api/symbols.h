// Device variables as memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"

namespace gridspan::runtime {

/// The part [offset, offset + count) of the variable behind a host address, on this thread's
/// device.
Status find_part(Runtime& state, const void* shadow, std::size_t count, std::size_t offset,
                 char*& address);

}  // namespace gridspan::runtime
