// Memory whose pages go to whoever uses them, GPU or host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpu_context.h"

#include <atomic>
#include <cstddef>

namespace gridspan::devices::cuda {

/// The driver's managed memory, where host and GPU may use it at once; elsewhere page-locked memory
/// of the host. Thread safe.
class ManagedMemory {
 public:
  explicit ManagedMemory(const GpuContext& gpu) : gpu_(gpu) {}

  void* take(std::size_t size);
  void give_back(void* memory);
  /// The driver moves its pages; whichever GPU took it.
  static bool holds(const void* address);

  /// Hints of the program about memory that is held; others are left out. The GPU is this one.
  void prefetch(void* memory, std::size_t size, bool to_host, Stream stream) const;
  void advise(void* memory, std::size_t size, int advice, bool of_host) const;

 private:
  bool can_be_used_at_once() const;
  void tell(Result result, const char* call) const;
  Gpu place(bool is_host) const { return is_host ? the_host : gpu_.gpu; }

  const GpuContext& gpu_;
  mutable std::atomic<bool> has_told_{false};  // of a hint that failed
};

}  // namespace gridspan::devices::cuda
