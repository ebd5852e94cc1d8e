// Device memory that several processes have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process exports memory by putting a file in memory under its pages. What it gives others, 64
// bytes as CUDA wants it, says which of its open files that is; they open it through /proc and map
// it. Such memory has one copy, like host memory: no device keeps a replica of it.
#pragma once

#include "runtime/api/cuda_api.h"
#include "runtime/api/status.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace gridspan::runtime {

struct Runtime;

/// Of an imported allocation: cudaIpcCloseMemHandle ends it, not cudaFree.
inline constexpr unsigned closed_by_handle = 1;

/// What a handle holds: a file that a process has open, and a place in it.
struct ForeignFile {
  std::uint64_t magic;
  std::int64_t process;
  std::int64_t file;
  std::uint64_t inode;
  std::uint64_t size;
  std::uint64_t offset;
  std::uint64_t reserved[2];
};
static_assert(sizeof(ForeignFile) == CUDA_IPC_HANDLE_SIZE);

/// A new file in memory of `size` bytes, or -1.
int make_memory_file(std::size_t size);

/// A handle of this process's file.
Status describe_file(int file, std::uint64_t magic, std::uint64_t offset, ForeignFile& handle);

/// Opens what a handle describes. Refused if it is no such handle, or its file is gone.
Status open_foreign(const ForeignFile& handle, std::uint64_t magic, int& file);

/// Thread safe.
class SharedMemory {
 public:
  /// Makes the allocation that holds `pointer` one that others can open; `handle.offset` is the
  /// pointer's place in it. All work is waited for.
  Status export_memory(Runtime& state, const void* pointer, std::uint64_t magic,
                       ForeignFile& handle);

  /// Maps what a handle describes; the same handle again is the same memory.
  Status open(Runtime& state, const ForeignFile& handle, void** base);
  Status close(Runtime& state, void* base);

  /// The memory at `base` is freed: nobody else can open it from now on.
  void forget(std::uintptr_t base);

 private:
  struct Opened {
    void* base;
    unsigned count;
  };

  std::mutex mutex_;
  std::map<std::uintptr_t, int> exported_;  // files, by the address of what they hold
  std::map<std::pair<std::int64_t, std::uint64_t>, Opened> opened_;  // by process and inode
};

}  // namespace gridspan::runtime
