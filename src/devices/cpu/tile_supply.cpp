// The tiles of a part that no worker has yet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/tile_supply.h"

#include <algorithm>

namespace gridspan::devices::cpu {

TileSupply::TileSupply(std::uint64_t tiles, unsigned workers)
    : workers_(std::max(1u, workers)), left_(tiles) {
  home_count_ =
      static_cast<unsigned>(std::clamp<std::uint64_t>(tiles, 1, std::min(workers_, most_homes)));
  const std::uint64_t each = tiles / home_count_, more = tiles % home_count_;
  std::uint64_t begin = 0;
  for (unsigned i = 0; i < home_count_; ++i) {
    homes_[i].next.store(begin, std::memory_order_relaxed);
    begin = homes_[i].end = begin + each + (i < more ? 1 : 0);
  }
}

void TileSupply::turn_back() {
  is_backward_ = true;
  for (unsigned i = 0; i < home_count_; ++i)
    homes_[i].first = homes_[i].next.load(std::memory_order_relaxed);
}

TileChunk TileSupply::claim(std::uint64_t divisor, unsigned worker) {
  const auto own = static_cast<unsigned>(std::uint64_t{worker} * home_count_ / workers_);
  for (unsigned i = 0; i < home_count_ && left() != 0; ++i) {
    const TileChunk found = take(homes_[(own + i) % home_count_], divisor);
    if (found.size() != 0) return found;
  }
  return {};
}

TileChunk TileSupply::claim_in_order(std::uint64_t divisor) {
  for (unsigned i = 0; i < home_count_; ++i) {
    const TileChunk found = take(homes_[i], divisor);
    if (found.size() != 0) return found;
  }
  return {};
}

TileChunk TileSupply::take(Home& home, std::uint64_t divisor) {
  const std::uint64_t wanted = std::max<std::uint64_t>(1, left() / divisor);
  std::uint64_t begin = home.next.load(std::memory_order_relaxed);
  while (begin < home.end) {
    const std::uint64_t count = std::min(wanted, home.end - begin);
    if (!home.next.compare_exchange_weak(begin, begin + count, std::memory_order_relaxed)) continue;
    left_.fetch_sub(count, std::memory_order_relaxed);
    if (!is_backward_) return {begin, begin + count};
    const std::uint64_t end = home.first + home.end - begin;
    return {end - count, end};
  }
  return {};
}

}  // namespace gridspan::devices::cpu
