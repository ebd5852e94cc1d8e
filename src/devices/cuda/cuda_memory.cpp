// Who copies depends on whose memory it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/cuda_memory.h"

#include "devices/cuda/neighbours.h"

namespace gridspan::devices::cuda {
namespace {

/// Ranges that other processes, or pages of the host, could have begin at pages.
constexpr std::size_t block_alignment = 256, range_alignment = 4096;

}  // namespace

void* CudaMemory::allocate(std::size_t size) { return memory_.take(size, block_alignment); }

DeviceMemory::Beyond CudaMemory::allocate_beyond(std::size_t size, std::uint64_t host_bytes) {
  return memory_.take_beyond(size, block_alignment, host_bytes);
}

void* CudaMemory::reserve(std::size_t size) { return memory_.reserve(size, range_alignment); }

RunResult CudaMemory::copy_one(const BoxMove& move) {
  const auto& [to, from, extent] = move;
  if (extent.is_empty()) return {};
  const Neighbour *target = neighbours().holder(to.base), *source = neighbours().holder(from.base);
  if (!target && !source) {
    copy_box(to, from, extent);
    return {};
  }
  if (is_elsewhere(target, gpu_)) return target->memory.copy(to, from, extent);
  if (is_far(source, gpu_)) return staged_.copy(source->gpu, to, from, extent);
  return copier_.copy({&move, 1});
}

RunResult CudaMemory::copy_all(std::span<const BoxMove> moves) {
  if (moves.empty()) return {};
  if (moves.size() == 1) return copy_one(moves.front());
  const Neighbour *target = neighbours().holder(moves.front().to.base),
                  *source = neighbours().holder(moves.front().from.base);
  const bool is_with_host = (target && !source) || (source && !target);
  if (is_with_host && !is_elsewhere(target, gpu_) && !is_elsewhere(source, gpu_))
    return copier_.copy(moves);
  for (const BoxMove& move : moves) {
    RunResult result = copy_one(move);
    if (result.fault != Fault::none) return result;
  }
  return {};
}

RunResult CudaMemory::fill(const Pitched& to, const Extent& extent, unsigned char value) {
  if (extent.is_empty()) return {};
  if (neighbours().holder(to.base)) return copier_.fill(to, extent, value);
  fill_box(to, extent, value);
  return {};
}

}  // namespace gridspan::devices::cuda
