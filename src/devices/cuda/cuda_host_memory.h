// Memory of the host that GPUs reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/lines.h"
#include "devices/cuda/managed_memory.h"
#include "devices/host_memory.h"

namespace gridspan::devices::cuda {

class CudaHostMemory final : public HostMemory {
 public:
  CudaHostMemory(const GpuContext& gpu, const Lines& lines) : gpu_(gpu), lines_(lines) {}

  void* allocate_host(std::size_t size) override;
  void free_host(void* memory) override;
  void* allocate_managed(std::size_t size) override { return managed_.take(size); }
  void free_managed(void* memory) override { managed_.give_back(memory); }
  bool register_host(void* memory, std::size_t size) override;
  void unregister_host(void* memory) override;
  void begin_prefetch(void* memory, std::size_t size, bool to_host) override;
  void advise(void* memory, std::size_t size, int advice, bool of_host) override {
    managed_.advise(memory, size, advice, of_host);
  }

 private:
  const Driver& api() const { return gpu_.driver; }

  const GpuContext& gpu_;
  const Lines& lines_;
  ManagedMemory managed_{gpu_};
};

}  // namespace gridspan::devices::cuda
