// Who is told of what device code allocates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/memory_map.h"

#include <atomic>

namespace gridspan::devices::cpu {

/// Null: nobody. Set by the device that checks accesses.
inline constinit std::atomic<MemoryMap*> heap_map{nullptr};

}  // namespace gridspan::devices::cpu
