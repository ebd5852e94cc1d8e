// Asks the driver about kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/kernel_limits.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gridspan::devices::cuda {

namespace {

/// Of shared memory, that every kernel may have; and what code for GPUs may have beside the
/// program's variables (barriers of tiles, errors of threads).
constexpr std::size_t usual_shared = 48 << 10, added_shared = 4 << 10;

}  // namespace

std::uint32_t most_threads(const GpuContext& gpu, EntryPoint& entry) {
  if (const std::uint32_t known = entry.most_threads.load()) return known;
  int most = 0;
  if (!entry.function || gpu.make_current() != success ||
      gpu.driver.cuFuncGetAttribute(&most, FunctionAttribute::most_threads, entry.function) !=
          success)
    return abi::max_block_threads;
  entry.most_threads = static_cast<std::uint32_t>(most);
  return entry.most_threads;
}

std::optional<KernelNeeds> needs_of(const GpuContext& gpu, const EntryPoint& entry) {
  if (!entry.function || gpu.make_current() != success) return std::nullopt;
  KernelNeeds needs;
  for (const auto& [attribute, value] :
       {std::pair(FunctionAttribute::most_threads, &needs.most_threads),
        {FunctionAttribute::static_shared, &needs.static_shared},
        {FunctionAttribute::constant_bytes, &needs.constant_bytes},
        {FunctionAttribute::local_bytes, &needs.local_bytes},
        {FunctionAttribute::registers, &needs.registers},
        {FunctionAttribute::ptx_version, &needs.ptx_version},
        {FunctionAttribute::binary_version, &needs.binary_version}}) {
    if (gpu.driver.cuFuncGetAttribute(value, attribute, entry.function) != success)
      return std::nullopt;
  }
  return needs;
}

Result allow_shared(const GpuContext& gpu, const abi::Kernel& kernel, EntryPoint& entry,
                    std::uint32_t bytes) {
  if (bytes == 0 || kernel.static_shared + bytes <= usual_shared - added_shared ||
      bytes <= entry.dynamic_limit.load())
    return success;
  const Result error = gpu.driver.cuFuncSetAttribute(
      entry.function, FunctionAttribute::dynamic_shared_limit, static_cast<int>(bytes));
  if (error == success) entry.dynamic_limit = bytes;
  return error;
}

std::uint32_t resident_blocks(const GpuContext& gpu, const abi::Kernel& kernel, EntryPoint& entry,
                              std::uint32_t threads, std::size_t dynamic_shared) {
  int blocks = 0;
  const auto bytes = static_cast<std::uint32_t>(dynamic_shared);
  if (!entry.function || gpu.make_current() != success ||
      allow_shared(gpu, kernel, entry, bytes) != success ||
      gpu.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, entry.function, static_cast<int>(threads), dynamic_shared) != success)
    return std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::max(blocks, 0));
}

}  // namespace gridspan::devices::cuda
