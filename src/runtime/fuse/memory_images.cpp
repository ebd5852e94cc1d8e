// Whole allocations, byte by byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/memory_images.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime::fuse {

namespace {

char* begin_of(const Allocation& memory) { return reinterpret_cast<char*>(memory.base); }

}  // namespace

MemoryImages::MemoryImages(std::span<const Allocation> memory)
    : memory_(memory.begin(), memory.end()) {
  for (const Allocation& one : memory_)
    bytes_.emplace_back(begin_of(one), begin_of(one) + one.size);
}

void MemoryImages::restore() const {
  for (std::size_t i = 0; i < memory_.size(); ++i)
    std::memcpy(begin_of(memory_[i]), bytes_[i].data(), bytes_[i].size());
}

std::optional<MemoryImages::Difference> MemoryImages::first_difference() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const auto [own, other] =
        std::mismatch(bytes_[i].begin(), bytes_[i].end(), begin_of(memory_[i]));
    if (own != bytes_[i].end())
      return Difference{memory_[i], static_cast<std::size_t>(own - bytes_[i].begin())};
  }
  return std::nullopt;
}

}  // namespace gridspan::runtime::fuse
