// Memory a worker lends to the block it runs: shared memory, frames, sync operands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/block_storage.h"

#include "devices/cpu/address_pool.h"

#include <new>

namespace gridspan::devices::cpu {
namespace {

constexpr std::size_t most_alignment_asked = 1024;  // by shared variables

}  // namespace

const std::array<abi::GoodPlaces, abi::access_slots + 1> all_places_are_good = [] {
  std::array<abi::GoodPlaces, abi::access_slots + 1> all{};
  all.fill({0, ~std::uint64_t{0}});
  return all;
}();

char* GrowingBuffer::reserve(std::size_t size) {
  if (!memory_ || size > size_) {
    const std::size_t rounded = round_up(size + most_alignment_asked, most_alignment_asked);
    memory_.reset();
    memory_.reset(static_cast<char*>(std::aligned_alloc(most_alignment_asked, rounded)));
    if (!memory_) throw std::bad_alloc();
    size_ = size;
  }
  return memory_.get();
}

std::uint32_t dynamic_shared_offset(const abi::Kernel& kernel) {
  return static_cast<std::uint32_t>(round_up(kernel.static_shared, 16));
}

std::uint64_t shared_bytes(const abi::Kernel& kernel, const abi::LaunchContext& launch) {
  return std::uint64_t{dynamic_shared_offset(kernel)} + launch.dynamic_shared;
}

abi::BlockContext& BlockStorage::prepare(const abi::Kernel& kernel,
                                         const abi::LaunchContext& launch, bool with_frames) {
  context_.launch = &launch;
  context_.thread_count = launch.block.x * launch.block.y * launch.block.z;
  context_.row_threads = launch.block.x;
  context_.rows = launch.block.y;
  context_.padded_threads = (context_.thread_count + 15) & ~15u;
  context_.dynamic_shared_offset = dynamic_shared_offset(kernel);
  context_.shared = shared_.reserve(shared_bytes(kernel, launch));
  context_.frames =
      with_frames ? frames_.reserve(kernel.frame_bytes * context_.padded_threads) : nullptr;
  context_.next = columns_->next;
  context_.sync_mask = columns_->mask;
  context_.sync_value = columns_->value;
  context_.sync_lane = columns_->lane;
  context_.sync_clamp = columns_->clamp;
  context_.sync_flag = columns_->flag;
  context_.executor = nullptr;
  context_.good_places = all_places_are_good.data();
  return context_;
}

}  // namespace gridspan::devices::cpu
