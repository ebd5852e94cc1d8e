// What the driver says of a kernel's needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/module_code.h"
#include "devices/gpu_facts.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gridspan::devices::cuda {

/// Threads that a block has registers for.
std::uint32_t most_threads(const GpuContext& gpu, EntryPoint& entry);

/// What the driver says of a kernel; nothing if it does not.
std::optional<KernelNeeds> needs_of(const GpuContext& gpu, const EntryPoint& entry);

/// Larger than usual blocks of shared memory have to be asked for, once. `bytes` are the dynamic
/// ones.
Result allow_shared(const GpuContext& gpu, const abi::Kernel& kernel, EntryPoint& entry,
                    std::uint32_t bytes);

/// Blocks that a multiprocessor holds at once, by its registers, threads and shared memory; the
/// largest number if the driver cannot tell.
std::uint32_t resident_blocks(const GpuContext& gpu, const abi::Kernel& kernel, EntryPoint& entry,
                              std::uint32_t threads, std::size_t dynamic_shared);

}  // namespace gridspan::devices::cuda
