// Who is told of what device code allocates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/global_races.h"
#include "devices/memory_map.h"

#include <atomic>

namespace gridspan::devices::cpu {

/// Null: nobody. Set by the device that checks accesses.
inline constinit std::atomic<MemoryMap*> heap_map{nullptr};
/// The same of the device that looks for races in global memory.
inline constinit std::atomic<GlobalRaces*> heap_races{nullptr};

}  // namespace gridspan::devices::cpu
