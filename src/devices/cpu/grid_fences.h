// Interpret mode: which fences threads of a grid have made, and what lies behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fence (__threadfence, or an access that releases) lets other blocks see what its thread did
// before, and what that thread itself was behind: by barriers of the block and of the warp. Whoever
// then reads what is written after the fence, a flag say, is behind all that.
//
// Lanes of a warp count as one thread, and of many fences the oldest are forgotten: all before them
// counts as seen. So some that lack may be missed.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace gridspan::devices::cpu {

/// Of one launch; thread safe.
class GridFences {
 public:
  void clear();
  /// A thread of the warp fences at `now`, behind all that its block did before `block_passed`.
  void add(std::uint64_t block, std::uint32_t warp, std::uint64_t block_passed, std::uint64_t now);
  /// What the warp did at `time` was behind a fence by `seen`.
  bool has_fenced(std::uint64_t block, std::uint32_t warp, std::uint64_t time, std::uint64_t seen);

 private:
  struct Fence {
    std::uint64_t behind, at;  // what is older than `behind` is behind it
  };
  class Fences {
   public:
    void add(Fence fence);
    bool hold(std::uint64_t time, std::uint64_t seen) const;

   private:
    static constexpr std::size_t most = 128;
    std::deque<Fence> known_;
    std::uint64_t forgotten_ = 0;  // the latest `behind` of one that is
  };
  struct Block {
    Fences whole;
    std::unordered_map<std::uint32_t, Fences> warps;
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, Block> blocks;
  };
  std::array<Shard, 64> shards_;
};

}  // namespace gridspan::devices::cpu
