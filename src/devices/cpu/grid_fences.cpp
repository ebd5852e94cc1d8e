// Lists of fences, by block and by warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/grid_fences.h"

#include <algorithm>

namespace gridspan::devices::cpu {

/// A later one that is behind nothing more tells nothing new.
void GridFences::Fences::add(Fence fence) {
  if (!known_.empty() && known_.back().behind >= fence.behind) return;
  if (known_.size() == most) {
    forgotten_ = known_.front().behind;
    known_.pop_front();
  }
  known_.push_back(fence);
}

bool GridFences::Fences::hold(std::uint64_t time, std::uint64_t seen) const {
  if (time < forgotten_) return true;
  const auto first = std::ranges::upper_bound(known_, time, {}, &Fence::behind);
  return first != known_.end() && first->at < seen;
}

void GridFences::clear() {
  for (Shard& shard : shards_) {
    const std::scoped_lock lock(shard.mutex);
    shard.blocks.clear();
  }
}

void GridFences::add(std::uint64_t block, std::uint32_t warp, std::uint64_t block_passed,
                     std::uint64_t now) {
  Shard& shard = shards_[block % shards_.size()];
  const std::scoped_lock lock(shard.mutex);
  Block& known = shard.blocks[block];
  known.whole.add({block_passed, now});
  known.warps[warp].add({now, now});
}

bool GridFences::has_fenced(std::uint64_t block, std::uint32_t warp, std::uint64_t time,
                            std::uint64_t seen) {
  Shard& shard = shards_[block % shards_.size()];
  const std::scoped_lock lock(shard.mutex);
  const auto known = shard.blocks.find(block);
  if (known == shard.blocks.end()) return false;
  const auto of_warp = known->second.warps.find(warp);
  return known->second.whole.hold(time, seen) ||
         (of_warp != known->second.warps.end() && of_warp->second.hold(time, seen));
}

}  // namespace gridspan::devices::cpu
