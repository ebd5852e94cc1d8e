// Run-time functions that compiled kernels call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All are extern "C", defined in src/devices/cpu. `thread` is never null. Functions that may switch
// fibers do nothing of the kind when the block runs as regions (block->executor == null).
#pragma once

#include "abi/launch.h"
#include "abi/sync.h"

#include <cstdint>

namespace gridspan::abi {

// More of what an access does, beside access_stores and its kin (abi/sync.h).
inline constexpr std::uint32_t access_updates = 8;    // it is an atomic operation
inline constexpr std::uint32_t access_releases = 16;  // who sees it sees what came before
/// Its address is a multiple of 2^log2.
constexpr std::uint32_t access_alignment(std::uint32_t log2) { return log2 << 8; }
constexpr std::uint64_t aligned_to(std::uint32_t kind) { return std::uint64_t{1} << (kind >> 8); }

/// Places where code accesses memory share slots: what BlockContext::good_places has there was
/// found good for one of them, so it is for all. Each power of two of bytes has its own slots.
inline constexpr std::uint32_t slots_of_a_size = 64;
inline constexpr std::uint32_t slot_sizes = 5;  // 1, 2, 4, 8 and 16 bytes
inline constexpr std::uint32_t access_slots = slot_sizes * slots_of_a_size;
/// Of accesses that are known to stay within a variable: good unless more is looked for.
inline constexpr std::uint32_t inside_slot = access_slots;
inline constexpr std::uint32_t no_slot = ~0u;
/// The bytes that an access may have to share the slot.
constexpr std::uint64_t slot_bytes(std::uint32_t slot) {
  return std::uint64_t{1} << slot / slots_of_a_size;
}

/// An access in the code, of a fixed number of bytes.
struct CheckedAccess {
  SourcePoint where;
  std::uint32_t size;
  std::uint32_t kind;  // a sum of access_*
  std::uint32_t slot;
};

}  // namespace gridspan::abi

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

/// Before a load or store (on fibers only). Returns at once unless the block is checked (interpret
/// mode), and not at all if the access is refused.
void gridspan_check_shared(gridspan::abi::ThreadContext* thread, const void* address,
                           std::uint64_t size, std::uint32_t kind,
                           const gridspan::abi::SourcePoint* where);

/// The same through a pointer that leads into a variable: `bytes` at `base`. 0: as many as the
/// variable of the module has that lies there.
void gridspan_check_variable(gridspan::abi::ThreadContext* thread, const void* address,
                             std::uint64_t size, std::uint32_t kind,
                             const gridspan::abi::SourcePoint* where, const void* base,
                             std::uint64_t bytes);

/// The same two of an access of fixed size. Code need not ask the first where the slot tells that
/// the access is good, and asks the second only of what leaves the variable or is misaligned.
void gridspan_check_access(gridspan::abi::ThreadContext* thread, const void* address,
                           const gridspan::abi::CheckedAccess* site);
void gridspan_check_inside(gridspan::abi::ThreadContext* thread, const void* address,
                           const gridspan::abi::CheckedAccess* site, const void* base,
                           std::uint64_t bytes);

/// Before a fence that other blocks may rely on (__threadfence).
void gridspan_check_fence(gridspan::abi::ThreadContext* thread);

/// The block is checked (interpret mode): of a kernel's two forms for fibers, the one with all
/// checks is to run. 0 or 1.
std::uint32_t gridspan_is_checked(const gridspan::abi::ThreadContext* thread);

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

/// Ends the launch with cudaErrorIllegalAddress: what is called at `target` is no device code.
[[noreturn]] void gridspan_device_bad_call(gridspan::abi::ThreadContext* thread, const void* target,
                                           const gridspan::abi::SourcePoint* where);

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
