// Answers from the code of the kernel's module, which is loaded first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/cuda_code.h"

#include "devices/cuda/kernel_limits.h"

namespace gridspan::devices::cuda {

std::string CudaCode::refusal(const abi::Kernel& kernel, bool whole) {
  const auto code = table_.find(*kernel.module);
  if (!code) return code.error().message;
  const KernelCode& entries = (*code)->kernel(kernel);
  if (!entries.whole.function) {
    return "it has no code for GPUs; gridspan explain says why";
  }
  if (whole) return {};
  if (const auto parts = (*code)->want_parts(); !parts) return parts.error().message;
  if (entries.part.function) return {};
  return "it has no code for GPUs that runs a part of a grid; gridspan explain says why";
}

std::uint32_t CudaCode::most_threads(const abi::Kernel& kernel, bool whole) {
  const auto code = table_.find(*kernel.module);
  if (!code) return abi::max_block_threads;
  KernelCode& entries = (*code)->kernel(kernel);
  if (!whole && !(*code)->want_parts()) return abi::max_block_threads;
  return cuda::most_threads(gpu_, whole ? entries.whole : entries.part);
}

std::optional<KernelNeeds> CudaCode::needs(const abi::Kernel& kernel) {
  const auto code = table_.find(*kernel.module);
  if (!code) return std::nullopt;
  return needs_of(gpu_, (*code)->kernel(kernel).whole);
}

std::uint32_t CudaCode::resident_blocks(const abi::Kernel& kernel, std::uint32_t threads,
                                        std::size_t dynamic_shared) {
  const auto code = table_.find(*kernel.module);
  if (!code) return any_blocks;
  EntryPoint& entry = (*code)->kernel(kernel).whole;
  return cuda::resident_blocks(gpu_, kernel, entry, threads, dynamic_shared);
}

bool CudaCode::runs_packed(const abi::Kernel& kernel, std::uint32_t threads) {
  const auto code = table_.find(*kernel.module);
  if (!code) return false;
  if (!(*code)->want_packed()) return false;
  EntryPoint& entry = (*code)->kernel(kernel).packed;
  return entry.function && threads <= cuda::most_threads(gpu_, entry);
}

void* CudaCode::variable(const abi::Module& module, std::uint32_t index) {
  const auto code = table_.find(module);
  return code ? reinterpret_cast<void*>((*code)->variable(index).address) : nullptr;
}

void CudaCode::forget(const abi::Module& module) {
  suspects_.forget(module);
  table_.forget(module);
  if (module.fused) forget(*module.fused);
}

}  // namespace gridspan::devices::cuda
