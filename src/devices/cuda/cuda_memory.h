// A GPU's memory, or a share of it, as a device's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/box_copier.h"
#include "devices/cuda/gpu_memory.h"
#include "devices/cuda/staged_copier.h"
#include "devices/device_memory.h"

namespace gridspan::devices::cuda {

class CudaMemory final : public DeviceMemory {
 public:
  CudaMemory(const GpuContext& gpu, std::uint64_t bytes, BoxCopier& copier, StagedCopier& staged)
      : gpu_(gpu), memory_(gpu, bytes), copier_(copier), staged_(staged) {}

  void* allocate(std::size_t size) override;
  Beyond allocate_beyond(std::size_t size, std::uint64_t host_bytes) override;
  void free(void* memory) override { memory_.give_back(memory); }
  std::uint64_t free_bytes() override { return memory_.free_bytes(); }
  void* reserve(std::size_t size) override;
  void release(void* memory, std::size_t) override { memory_.give_back(memory); }
  void discard(void* memory, std::size_t size) override { memory_.discard(memory, size); }
  std::size_t memory_unit(std::size_t size) const override { return memory_.unit(size); }
  std::size_t commit(void* memory, std::size_t size) override {
    return memory_.commit(memory, size);
  }
  bool protect(bool) override { return false; }
  RunResult copy_all(std::span<const BoxMove> moves) override;
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override;

  bool holds(const void* address) const { return memory_.holds(address); }
  void admit(Gpu user) { memory_.admit(user); }

 private:
  RunResult copy_one(const BoxMove& move);

  const GpuContext& gpu_;
  GpuMemory memory_;
  BoxCopier& copier_;
  StagedCopier& staged_;
};

}  // namespace gridspan::devices::cuda
