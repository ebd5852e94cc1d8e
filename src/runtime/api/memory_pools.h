// Memory pools of stream-ordered allocation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool is an account of what was allocated through it. What was freed is held in reserve by
// ReturnedMemory, if at all.
#pragma once

#include "runtime/api/status.h"
#include "runtime/api/stream_table.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

/// What a cudaMemPool_t points to. PoolTable guards the numbers.
struct CUmemPoolHandle_st {
  int device = 0;
  std::size_t limit = 0;  // bytes; 0 = none
  std::uint64_t release_threshold = 0;
  bool is_shareable = false;  // its memory may go to other processes
  bool is_imported = false;   // from one: memory is found in it, not made
  int reuse[3] = {1, 1, 1};   // cudaMemPoolReuse..., without effect
  std::uint64_t used = 0;
  std::uint64_t most_used = 0;      // since it was last set to 0
  std::uint64_t most_reserved = 0;  // the same
};

namespace gridspan::runtime {

struct Runtime;
using Pool = CUmemPoolHandle_st;

/// Thread safe.
class PoolTable {
 public:
  PoolTable();

  // Of each of the program's devices.
  Pool* default_pool(int device) { return defaults_[static_cast<std::size_t>(device)].get(); }
  Pool* current(int device) const { return current_[static_cast<std::size_t>(device)]; }
  Status set_current(int device, Pool* handle);

  Pool* create(int device, std::size_t limit);
  /// Memory allocated from the pool stays.
  Status destroy(Pool* handle);
  Status find(Pool* handle, std::shared_ptr<Pool>& pool) const;

  /// Allocates device memory on the account of `pool`, for what `stream` does next.
  Status allocate(Runtime& state, void** pointer, std::size_t size, Pool* pool,
                  const Stream& stream);
  /// The pool of the memory at `base`, or null.
  Pool* pool_of(const void* base) const;
  /// The memory at `base`, of a pool or not, is freed: the release threshold of its pool.
  std::uint64_t note_free(const void* base);

  Status get(Pool* handle, cudaMemPoolAttr attribute, void* value) const;
  Status set(Pool* handle, cudaMemPoolAttr attribute, const void* value);

  /// Destroys every created pool of the device.
  void clear(int device);

 private:
  struct Piece {
    std::shared_ptr<Pool> pool;
    std::size_t size;
  };

  mutable std::mutex mutex_;
  std::array<std::shared_ptr<Pool>, most_devices> defaults_;
  HandleTable<Pool> created_;
  std::array<std::atomic<Pool*>, most_devices> current_{};
  std::unordered_map<const void*, Piece> pieces_;
};

}  // namespace gridspan::runtime
