// The list on which kernels that run on a GPU note what they launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device has one, made when the first kernel that launches others runs. It belongs to one such
// kernel at a time, from `prepare` to `read`.
#pragma once

#include "devices/cuda/cuda_memory.h"
#include "devices/cuda/module_code.h"

#include <cstddef>
#include <vector>

namespace gridspan::devices::cuda {

class ChildList {
 public:
  ChildList(const GpuContext& gpu, CudaMemory& memory) : gpu_(gpu), memory_(memory) {}
  ~ChildList();
  ChildList(const ChildList&) = delete;
  ChildList& operator=(const ChildList&) = delete;

  /// Launches that a kernel may make, at least, whatever their arguments
  /// (cudaLimitDevRuntimePendingLaunchCount).
  std::size_t limit() const { return limit_; }
  void set_limit(std::size_t launches) { limit_ = launches; }

  /// Empty, for a kernel of the module that is begun on the stream next. `depth`: how many kernels
  /// launched one another to launch it.
  RunResult prepare(ModuleCode& module, unsigned depth, Stream stream);

  struct Records {
    std::vector<std::byte> bytes;  // see in_order
    unsigned refused = 0;          // launches for which there was no room
  };
  /// Waits for the kernel, and all before it on the stream.
  RunResult read(Stream stream, Records& records);

 private:
  struct Staged;

  RunResult make_room(std::size_t bytes);

  const GpuContext& gpu_;
  CudaMemory& memory_;
  std::size_t limit_ = 2048;  // CUDA's default
  void* list_ = nullptr;      // on the GPU
  std::size_t capacity_ = 0;  // bytes of records
  Staged* staged_ = nullptr;  // page-locked
  unsigned most_shared_ = 0;
};

}  // namespace gridspan::devices::cuda
