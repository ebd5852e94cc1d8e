// Run-time functions that compiled kernels call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All are extern "C", defined in src/devices/cpu. `thread` is never null. Functions that may switch
// fibers do nothing of the kind when the block runs as regions (block->executor == null).
#pragma once

#include "abi/launch.h"
#include "abi/sync.h"

#include <cstdint>

extern "C" {

/// Block barrier on a fiber. `predicate` and the result matter for the reducing kinds only.
std::uint32_t gridspan_fiber_barrier(gridspan::abi::ThreadContext* thread, std::uint32_t kind,
                                     std::uint32_t predicate,
                                     const gridspan::abi::SourcePoint* where);

/// Warp operation on a fiber. `flag`, if not null, receives the predicate result.
std::uint64_t gridspan_fiber_warp(gridspan::abi::ThreadContext* thread, std::uint32_t kind,
                                  std::uint32_t mask, std::uint64_t value, std::uint32_t lane,
                                  std::uint32_t clamp, std::uint32_t* flag,
                                  const gridspan::abi::SourcePoint* where);

/// Before every volatile access and atomic operation: lets the other threads run first.
void gridspan_fiber_yield(gridspan::abi::ThreadContext* thread);

/// Before a load or store through a pointer that may lead to shared memory (thread entry only).
/// Returns at once unless the address is shared and the block is checked (interpret mode).
void gridspan_check_shared(gridspan::abi::ThreadContext* thread, const void* address,
                           std::uint64_t size, std::uint32_t is_store,
                           const gridspan::abi::SourcePoint* where);

/// Device printf as clang lowers it: packed arguments, naturally aligned. Returns argument count.
int gridspan_device_vprintf(const char* format, const void* arguments);

void* gridspan_device_malloc(std::uint64_t size);
void gridspan_device_free(void* pointer);

/// Ends the launch with cudaErrorAssert after printing CUDA's message.
[[noreturn]] void gridspan_device_assertfail(gridspan::abi::ThreadContext* thread,
                                             const char* message, const char* file,
                                             std::uint32_t line, const char* function);

/// Ends the launch with cudaErrorLaunchFailure (__trap, unreachable code).
[[noreturn]] void gridspan_device_trap(gridspan::abi::ThreadContext* thread);

/// Nanoseconds of a monotonic clock (PTX %globaltimer).
std::uint64_t gridspan_device_globaltimer(void);
}
