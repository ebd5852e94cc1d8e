// What a recording build of kernels (gridcc --compile-verify) and the run time share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a build is a shared object that holds the kernels of one module once more, with a call of
// gridspan_record_access or gridspan_record_store before everything that touches memory other
// blocks could see. It registers nothing; the run time finds it by the symbol `gridspan_recording`.
#pragma once

#include "abi/launch.h"
#include "abi/model.h"
#include "abi/module.h"
#include "abi/sync.h"

#include <cstdint>

namespace gridspan::abi {

enum class RecordedKind : std::uint32_t {
  read = 0,
  write = 1,
  update = 2,        // atomic read-modify-write whose result nobody uses
  atomic = 3,        // any other atomic read-modify-write
  atomic_read = 4,   // atomic load
  atomic_write = 5,  // atomic store
};

enum RecordedFlags : std::uint32_t {
  /// Textbook clean-up (a load nobody needs, a value just stored read back) drops this access: a
  /// model may leave it out.
  recorded_optional = 1u << 0,
};

/// One place in the code that touches memory.
struct AccessSite {
  SourcePoint where;
  RecordedKind kind;
  ReductionOp op;  // of updates and atomics; none: no commutative operation
  std::uint32_t flags;
  std::uint32_t index;  // < Recording::site_count
};

struct Recording {
  std::uint32_t version;  // = abi::version
  std::uint32_t site_count;
  const Module* module;  // same kernels and symbols, in the same order, as the original
};

}  // namespace gridspan::abi

extern "C" {
/// The running block is about to touch `size` bytes at `address`. Defined in src/runtime/verify.
void gridspan_record_access(gridspan::abi::BlockContext* block,
                            const gridspan::abi::AccessSite* site, const void* address,
                            std::uint64_t size);
/// The same for a store of a value of up to 16 bytes, whose bits are `high` and `low`.
void gridspan_record_store(gridspan::abi::BlockContext* block,
                           const gridspan::abi::AccessSite* site, const void* address,
                           std::uint64_t size, std::uint64_t low, std::uint64_t high);
}
