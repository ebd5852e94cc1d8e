// Exports memory to other processes and opens theirs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/shared_memory.h"

#include "runtime/api/call.h"
#include "runtime/api/submit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace gridspan::runtime {

namespace {

/// The contents of the memory go into the file.
Status fill_file(const Allocation& allocation, int file) {
  void* const copy = mmap(nullptr, allocation.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (copy == MAP_FAILED) {
    return refuse(cudaErrorMemoryAllocation, "%zu bytes: %s", allocation.size,
                  std::strerror(errno));
  }
  const cudaError_t error = cudaMemcpy(copy, reinterpret_cast<const void*>(allocation.base),
                                       allocation.size, cudaMemcpyDeviceToHost);
  munmap(copy, allocation.size);
  return error;
}

}  // namespace

int make_memory_file(std::size_t size) {
  const int file = memfd_create("gridspan-shared", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0) return file;
  if (file >= 0) ::close(file);
  return -1;
}

Status describe_file(int file, std::uint64_t magic, std::uint64_t offset, ForeignFile& handle) {
  struct stat facts{};
  if (fstat(file, &facts) != 0) return refuse(cudaErrorUnknown, "%s", std::strerror(errno));
  handle = {magic,  getpid(), file, facts.st_ino, static_cast<std::uint64_t>(facts.st_size),
            offset, {}};
  return cudaSuccess;
}

Status open_foreign(const ForeignFile& handle, std::uint64_t magic, int& file) {
  if (handle.magic != magic) {
    return refuse(cudaErrorInvalidResourceHandle, "the handle is none of Gridspan's");
  }
  const std::string path =
      "/proc/" + std::to_string(handle.process) + "/fd/" + std::to_string(handle.file);
  file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) {
    return refuse(cudaErrorMapBufferObjectFailed, "%s: %s", path.c_str(), std::strerror(errno));
  }
  struct stat facts{};
  if (fstat(file, &facts) == 0 && facts.st_ino == handle.inode &&
      static_cast<std::uint64_t>(facts.st_size) == handle.size && handle.offset < handle.size) {
    return cudaSuccess;
  }
  ::close(file);
  return refuse(cudaErrorMapBufferObjectFailed, "the memory behind the handle is gone");
}

Status SharedMemory::export_memory(Runtime& state, const void* pointer, std::uint64_t magic,
                                   ForeignFile& handle) {
  const Lookup found = state.memory.table().find(pointer);
  const Allocation& allocation = found.allocation;
  const bool is_device = found.is_live() && (allocation.kind == MemoryKind::device ||
                                             allocation.kind == MemoryKind::exported);
  if (!is_device) {
    return refuse(cudaErrorInvalidValue, "%p is not memory of cudaMalloc", pointer);
  }
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) - allocation.base;
  const std::scoped_lock lock(mutex_);
  const auto known = exported_.find(allocation.base);
  if (known != exported_.end()) return describe_file(known->second, magic, offset, handle);
  if (!state.memory.is_all_in_reach()) {
    return refuse(cudaErrorNotSupported, "memory of CUDA devices is not shared with processes yet");
  }
  const int file = make_memory_file(allocation.size);
  if (file < 0) return refuse(cudaErrorMemoryAllocation, "%s", std::strerror(errno));
  Status status = wait_for_all(state);
  if (!status.failed()) status = fill_file(allocation, file);
  bool is_shared = false;
  if (!status.failed()) {
    state.queue.run_exclusively([&] { is_shared = state.memory.share(allocation, file); });
  }
  if (!is_shared) {
    ::close(file);
    if (status.failed()) return status;
    return refuse(cudaErrorNotSupported,
                  "%zu bytes share their pages with other memory; from 64 KiB on an allocation can "
                  "go to other processes",
                  allocation.size);
  }
  exported_[allocation.base] = file;
  return describe_file(file, magic, offset, handle);
}

Status SharedMemory::open(Runtime& state, const ForeignFile& handle, void** base) {
  if (handle.process == getpid()) {
    return refuse(cudaErrorDeviceUninitialized, "the memory is this process's own");
  }
  int file = -1;
  GRIDSPAN_TRY(open_foreign(handle, handle.magic, file));
  const std::scoped_lock lock(mutex_);
  Opened& opened = opened_[{handle.process, handle.inode}];
  if (opened.count == 0) {
    opened.base = state.memory.import(file, 0, handle.size, closed_by_handle, current_device());
  }
  ::close(file);
  if (!opened.base) {
    opened_.erase({handle.process, handle.inode});
    return refuse(cudaErrorMapBufferObjectFailed, "%s", std::strerror(errno));
  }
  ++opened.count;
  *base = opened.base;
  return cudaSuccess;
}

Status SharedMemory::close(Runtime& state, void* base) {
  const std::scoped_lock lock(mutex_);
  const auto found =
      std::ranges::find_if(opened_, [&](const auto& one) { return one.second.base == base; });
  if (found == opened_.end()) {
    return refuse(cudaErrorInvalidValue, "%p was not opened with cudaIpcOpenMemHandle", base);
  }
  if (--found->second.count > 0) return cudaSuccess;
  opened_.erase(found);
  const Status status = wait_for_all(state);
  const Lookup memory = state.memory.table().remove(
      base, [](MemoryKind kind) { return kind == MemoryKind::imported; });
  if (memory.is_live()) state.memory.release(memory.allocation);
  return status;
}

void SharedMemory::forget(std::uintptr_t base) {
  const std::scoped_lock lock(mutex_);
  const auto found = exported_.find(base);
  if (found == exported_.end()) return;
  ::close(found->second);
  exported_.erase(found);
}

}  // namespace gridspan::runtime
