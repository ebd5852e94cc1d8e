// Whole allocations, byte by byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/memory_images.h"

#include <algorithm>

namespace gridspan::runtime::fuse {

namespace {

devices::Pitched all_of(char* base, std::size_t bytes) { return {base, bytes, bytes}; }

std::vector<char> read(devices::Device& device, const Allocation& memory) {
  std::vector<char> bytes(memory.size);
  device.memory().copy(all_of(bytes.data(), memory.size),
                       all_of(reinterpret_cast<char*>(memory.base), memory.size),
                       {memory.size, 1, 1});
  return bytes;
}

}  // namespace

MemoryImages::MemoryImages(devices::Device& device, std::span<const Allocation> memory)
    : device_(device), memory_(memory.begin(), memory.end()) {
  for (const Allocation& one : memory_) bytes_.push_back(read(device_, one));
}

void MemoryImages::restore() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    auto* const from = const_cast<char*>(bytes_[i].data());
    const std::size_t size = bytes_[i].size();
    device_.memory().copy(all_of(reinterpret_cast<char*>(memory_[i].base), size),
                          all_of(from, size), {size, 1, 1});
  }
}

std::optional<MemoryImages::Difference> MemoryImages::first_difference() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const std::vector<char> now = read(device_, memory_[i]);
    const auto [own, other] = std::ranges::mismatch(bytes_[i], now);
    if (own != bytes_[i].end())
      return Difference{memory_[i], static_cast<std::size_t>(own - bytes_[i].begin())};
  }
  return std::nullopt;
}

}  // namespace gridspan::runtime::fuse
