// What a GPU can run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/code_table.h"
#include "devices/cuda/suspects.h"
#include "devices/device_code.h"

#include <utility>
#include <vector>

namespace gridspan::devices::cuda {

class CudaCode final : public DeviceCode {
 public:
  CudaCode(const GpuContext& gpu, Suspects& suspects, CodeTable& table)
      : gpu_(gpu), suspects_(suspects), table_(table) {}

  std::string refusal(const abi::Kernel& kernel, bool whole) override;
  std::uint32_t most_threads(const abi::Kernel& kernel, bool whole) override;
  std::optional<KernelNeeds> needs(const abi::Kernel& kernel) override;
  std::uint32_t resident_blocks(const abi::Kernel& kernel, std::uint32_t threads,
                                std::size_t dynamic_shared) override;
  bool runs_packed(const abi::Kernel& kernel, std::uint32_t threads) override;
  void* variable(const abi::Module& module, std::uint32_t index) override;
  void expect(std::vector<const abi::Module*> modules) override {
    table_.expect(std::move(modules));
  }
  void forget(const abi::Module& module) override;

 private:
  const GpuContext& gpu_;
  Suspects& suspects_;
  CodeTable& table_;
};

}  // namespace gridspan::devices::cuda
