// Blocks that are under way, so that none begins long before an earlier one has ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

namespace gridspan::devices::cpu {

/// Of a part whose tiles are claimed in order. GPUs hold a few thousand blocks at a time, so what
/// many more blocks before wrote is there, and some programs read it without waiting. Here a worker
/// may have lost its core meanwhile. Any thread may call.
class BeginWindow {
 public:
  explicit BeginWindow(unsigned workers) : begins_(workers) {
    for (Begin& one : begins_) one.tile.store(none, std::memory_order_relaxed);
  }
  /// `worker` is at `tile`, or will claim none before it.
  void announce(unsigned worker, std::uint64_t tile) { begins_[worker].tile.store(tile); }
  void leave(unsigned worker) { begins_[worker].tile.store(none); }
  /// No other worker is at a tile that must have ended before the one before `end` begins.
  bool lets_begin(unsigned worker, std::uint64_t end) const {
    for (unsigned other = 0; other < begins_.size(); ++other)
      if (other != worker && begins_[other].tile.load() < end - std::min(end, width)) return false;
    return true;
  }

  /// Tiles: as many blocks as a large GPU holds.
  static constexpr std::uint64_t width = 2048;

 private:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  struct alignas(64) Begin {
    std::atomic<std::uint64_t> tile;
  };
  std::vector<Begin> begins_;
};

}  // namespace gridspan::devices::cpu
