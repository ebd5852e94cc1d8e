// What a launch may ask for, and what we tell programs about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/registry.h"
#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"
#include "runtime/schedule/command.h"

#include <cstddef>
#include <cstdint>

namespace gridspan::runtime {

inline constexpr abi::Dim grid_limit{0x7fffffff, 65535, 65535};
inline constexpr abi::Dim block_limit{1024, 1024, 64};

/// Shared memory a block may have without asking: CUDA's 48 KiB on every device.
std::size_t shared_limit(const Runtime& state);
/// And with cudaFuncAttributeMaxDynamicSharedMemorySize.
std::size_t shared_limit_on_request(const Runtime& state);

/// Largest dynamic shared memory this kernel may be launched with now.
std::size_t dynamic_shared_limit(const Runtime& state, const Function& function);

/// Threads a block of this kernel may have.
std::uint32_t thread_limit(const abi::Kernel& kernel);

/// The same on device 0, a GPU or not: a GPU has so many registers.
std::uint32_t thread_limit(const Runtime& state, const abi::Kernel& kernel);

/// Blocks of this kernel that one worker promises to keep running together.
std::uint32_t blocks_of_worker(const Runtime& state, const Function& function,
                               std::uint32_t threads, std::size_t dynamic_shared);

/// multiprocessorCount. Programs size grids whose blocks wait for each other by it, and such a grid
/// runs on device 0. Each CPU device promises to hold as much as all together, a GPU cannot.
std::uint32_t workers_shown(const Runtime& state);

/// Finds the kernel of a host address into `function`.
Status find_function(const void* stub, std::shared_ptr<Function>& function);

/// cudaSuccess if a launch of this shape is legal.
Status check_shape(const Runtime& state, const Function& function, dim3 grid, dim3 block,
                   std::size_t dynamic_shared);

/// cudaSuccess if the home device has registers for a block, of a shape that is legal.
Status check_registers(const Runtime& state, Function& function, dim3 block);

/// cudaSuccess if all blocks of this launch can wait for each other. On CPUs regions can
/// at any size, fibers only if all of them are resident; on a GPU all must be.
Status check_cooperation(const Runtime& state, const Function& function, dim3 grid, dim3 block,
                         std::size_t dynamic_shared);

}  // namespace gridspan::runtime
