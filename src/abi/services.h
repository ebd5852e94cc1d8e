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

/// Lets the other threads run until the phase is over (abi::PhaseWait).
void gridspan_fiber_phase_wait(gridspan::abi::ThreadContext* thread, std::uint64_t wait);

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
                           std::uint64_t size, std::uint32_t kind,
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

/// Kernels that launch kernels. What a kernel asks for here is done in the order it was asked for,
/// when the grid ends or a thread of it waits (SyncKind::children). `stream` tells tail launches
/// from others. Errors are for gridspan_device_last_error.
std::uint32_t gridspan_device_configure(const gridspan::abi::Dim* grid,
                                        const gridspan::abi::Dim* block, std::uint64_t shared_bytes,
                                        std::uint64_t stream);
/// Launches a kernel of the running kernel's module as configured last.
void gridspan_device_launch(const char* kernel, const void* const* arguments);
void gridspan_device_copy(void* to, const void* from, std::uint64_t bytes, std::uint64_t stream);
void gridspan_device_fill(void* to, std::uint32_t value, std::uint64_t bytes, std::uint64_t stream);
/// The last error since the last call with `clear`: a cudaError_t.
std::uint32_t gridspan_device_last_error(std::uint32_t clear);
void gridspan_device_set_error(std::uint32_t error);

/// Nanoseconds of a monotonic clock (PTX %globaltimer).
std::uint64_t gridspan_device_globaltimer(void);
}
