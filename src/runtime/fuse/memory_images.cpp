// Whole allocations, byte by byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/memory_images.h"

#include <algorithm>

namespace gridspan::runtime::fuse {

namespace {

std::vector<char> read(GroupPlace& place, const Allocation& memory) {
  std::vector<char> bytes(memory.size);
  place.read(memory, bytes.data());
  return bytes;
}

}  // namespace

MemoryImages::MemoryImages(GroupPlace& place, std::span<const Allocation> memory)
    : place_(place), memory_(memory.begin(), memory.end()) {
  for (const Allocation& one : memory_) bytes_.push_back(read(place_, one));
}

void MemoryImages::restore() {
  for (std::size_t i = 0; i < memory_.size(); ++i) place_.write(memory_[i], bytes_[i].data());
}

std::optional<MemoryImages::Difference> MemoryImages::first_difference() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const std::vector<char> now = read(place_, memory_[i]);
    const auto [own, other] = std::ranges::mismatch(bytes_[i], now);
    if (own != bytes_[i].end())
      return Difference{memory_[i], static_cast<std::size_t>(own - bytes_[i].begin())};
  }
  return std::nullopt;
}

}  // namespace gridspan::runtime::fuse
