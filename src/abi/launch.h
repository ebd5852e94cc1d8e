// What a compiled kernel receives: the launch, the running block, the running thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated code reads these structs by the field offsets below (by offsetof, in
// src/transforms alone). A change of layout is a change of `abi::version`.
#pragma once

#include "abi/dim.h"

#include <cstddef>
#include <cstdint>

namespace gridspan::abi {

/// Layout version of everything in src/abi. Objects of another version are refused at registration.
inline constexpr std::uint32_t version = 14;

/// Threads of a warp; fixed by CUDA on every device so far.
inline constexpr std::uint32_t warp_size = 32;

/// Where one array argument lives on the device that runs the part: the device address of element
/// zero is `argument + base_adjustment` (bytes). `pitch` (bytes, 0 = as the program laid it out)
/// is for devices that hold packed boxes. A null table means identity for every argument.
struct ArrayPlacement {
  std::int64_t base_adjustment;
  std::int64_t pitch;
};

/// One part of one launch on one device. Read-only while the part runs.
struct LaunchContext {
  std::uint32_t version;         // = abi::version
  std::uint32_t dynamic_shared;  // bytes asked for at the launch
  Dim grid;                      // gridDim of the whole launch, not of the part
  Dim block;                     // blockDim
  Dim first_block;               // first block of the part
  Dim block_count;               // blocks of the part along each axis
  const void* const* arguments;  // arguments[i] points to the value of parameter i
  void* const* symbols;          // this device's address of each symbol of the kernel's module
  const ArrayPlacement* arrays;  // per pointer argument; null = identity
  void* scratch;                 // device scratch memory of the part, or null
  /// Pointer arguments other than null point to different allocations, none of which has a second
  /// address.
  bool distinct_arguments;
  bool small_arguments;  // and these allocations are smaller than 2 GiB
};

/// Addresses that an access may begin at: `base` and those behind it, so many in all.
struct GoodPlaces {
  std::uint64_t base;
  std::uint64_t count;
};

/// One running thread block. Owned by the worker that runs it and reused for the next block.
///
/// The per-thread arrays are structure-of-arrays over the block's linear thread index
/// t = x + blockDim.x * (y + blockDim.y * z), 0 <= t < thread_count <= 1024, and have room for
/// `padded_threads` entries. `frames` holds values that live across sync points: slot s of thread t
/// lies at frames + s.offset * padded_threads + t * s.size (see Kernel::frame_bytes).
///
/// A thread that stops at a sync point stores its continuation in next[t] (unless the region has
/// only one way out) and, for warp operations and barrier reductions, its operands in sync_*[t].
/// The scheduler performs the operation and leaves the result in sync_value[t] / sync_flag[t]
/// before the continuation runs.
struct BlockContext {
  const LaunchContext* launch;
  Dim block_index;
  std::uint32_t thread_count;
  std::uint32_t padded_threads;         // thread_count rounded up to a multiple of 16
  std::uint32_t dynamic_shared_offset;  // = Kernel::static_shared rounded up to 16
  char* shared;                         // static then dynamic shared memory, 1024-byte aligned
  char* frames;                         // 64-byte aligned
  std::uint16_t* next;
  std::uint32_t* sync_mask;
  std::uint64_t* sync_value;
  std::uint32_t* sync_lane;   // source lane / delta / lane mask of shuffles
  std::uint32_t* sync_clamp;  // shuffles: the `c` operand (clamp | segment mask << 8)
  std::uint32_t* sync_flag;   // predicate result of shfl...p and match.all
  void* executor;             // private to the CPU device; null when the block runs as regions
  /// Threads of a row: blockDim.x, or where neighbouring blocks run as one
  /// (BlockForm::joined_threads) those of all of them. thread_count counts them all, too.
  std::uint32_t row_threads;
  std::uint32_t
      rows;  // blockDim.y, or those of all blocks that run as one (BlockForm::joined_rows)
  /// For copies of what the block reads again and again (transforms/vectorise/panels.h); they are
  /// good only as long as `run` is the same. Null, 0: there is no memory for it.
  char* panel;
  std::uint64_t panel_bytes;
  std::uint64_t run;  // grows with each part that the worker runs, and where code has barriers
  const char* launch_values;  // what BlockForm::prologue left there
  /// Where accesses are known to be good, for the slots of abi/services.h.
  const GoodPlaces* good_places;
};

/// One CUDA thread, for code that is not inlined into a region: every device function that stays a
/// function receives a pointer to it as hidden first parameter.
struct ThreadContext {
  BlockContext* block;
  Dim thread_index;
  std::uint32_t thread;  // linear index t
};

/// Value of next[t] for a thread that left the kernel.
inline constexpr std::uint16_t exited = 0xffff;

/// Largest thread block CUDA allows.
inline constexpr std::uint32_t max_block_threads = 1024;

}  // namespace gridspan::abi
