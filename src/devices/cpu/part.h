// One part of a launch while it runs: which blocks are left, and the first thing that went wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/children.h"
#include "devices/cpu/grid_barrier.h"
#include "devices/device.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace gridspan::devices::cpu {

/// The blocks of a part in linear order, x fastest. Counts need 64 bits: CUDA's largest grid has
/// (2^31 - 1) * 65535 * 65535 blocks.
class BlockGrid {
 public:
  BlockGrid(abi::Dim first, abi::Dim count) : first_(first), count_(count) {}
  std::uint64_t size() const { return std::uint64_t{count_.x} * count_.y * count_.z; }
  abi::Dim at(std::uint64_t number) const;
  /// Blocks from `index` to the end of its row.
  std::uint32_t left_in_row(const abi::Dim& index) const { return first_.x + count_.x - index.x; }
  /// The block index `steps` after `index`, at most one row on; past the end it is meaningless.
  void advance(abi::Dim& index, std::uint32_t steps = 1) const {
    index.x += steps;
    if (index.x - first_.x < count_.x) return;
    index.x = first_.x;
    if (++index.y - first_.y < count_.y) return;
    index.y = first_.y;
    ++index.z;
  }

 private:
  abi::Dim first_;
  abi::Dim count_;
};

/// Blocks [begin, end) of a part in linear order.
struct BlockChunk {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
};

/// Shared by all workers that run the part.
class Part {
 public:
  /// `depth`: how many kernels launched one another to launch this one.
  Part(const abi::Kernel& kernel, const abi::LaunchContext& launch, unsigned depth = 0)
      : kernel_(kernel),
        launch_(launch),
        blocks_(launch.first_block, launch.block_count),
        children_(depth) {}
  const abi::Kernel& kernel() const { return kernel_; }
  const abi::LaunchContext& launch() const { return launch_; }
  const BlockGrid& blocks() const { return blocks_; }
  GridBarrier& grid_barrier() { return grid_barrier_; }
  Children& children() { return children_; }
  bool waits_for_children() const { return (kernel_.flags & abi::kernel_waits_for_children) != 0; }
  bool has_grid_barriers() const { return (kernel_.flags & abi::kernel_has_grid_sync) != 0; }
  std::uint32_t threads_per_block() const {
    return launch_.block.x * launch_.block.y * launch_.block.z;
  }

  /// The next blocks in linear order: `1/divisor` of what is left, at least one; empty when none
  /// is left. Chunks shrink towards the end, so that workers finish together, to no less than
  /// `unit`.
  BlockChunk claim(std::uint64_t divisor, std::uint64_t unit = 1);
  std::uint64_t left() const { return size_ - next_.load(std::memory_order_relaxed); }

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// Ends the part: no further block starts. The first fault reported is the part's result;
  /// `stop == false` records it and goes on.
  void report(RunResult result, bool stop = true);
  /// To be called when all workers are done.
  RunResult take_result() { return std::move(result_); }

 private:
  const abi::Kernel& kernel_;
  const abi::LaunchContext& launch_;
  BlockGrid blocks_;
  std::uint64_t size_ = blocks_.size();
  GridBarrier grid_barrier_{size_};
  Children children_;
  alignas(64) std::atomic<std::uint64_t> next_ = 0;
  alignas(64) std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  RunResult result_;
};

}  // namespace gridspan::devices::cpu
