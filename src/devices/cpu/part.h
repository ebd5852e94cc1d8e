// One part of a launch while it runs: which blocks are left, and the first thing that went wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/access_reports.h"
#include "devices/cpu/children.h"
#include "devices/cpu/grid_barrier.h"
#include "devices/cpu/tile.h"
#include "devices/cpu/tile_supply.h"
#include "devices/device.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace gridspan::devices::cpu {

/// The tiles of a part's blocks in linear order, x fastest; y, if blocks of a column share what
/// they load (Tile::goes_down). Counts need 64 bits: CUDA's largest grid has (2^31 - 1) * 65535 *
/// 65535 blocks.
class BlockGrid {
 public:
  BlockGrid(abi::Dim first, abi::Dim count, Tile tile = {})
      : first_(first),
        count_(count),
        tile_(tile),
        columns_((count.x - 1) / tile.x + 1),
        rows_((count.y - 1) / tile.y + 1) {
    if (count.x == 0) columns_ = 0;
    if (count.y == 0) rows_ = 0;
  }
  /// How many tiles.
  std::uint64_t size() const { return std::uint64_t{columns_} * rows_ * count_.z; }
  /// The first block of a tile.
  abi::Dim at(std::uint64_t number) const;
  /// How many blocks the tile that begins at `index` has: fewer at the end.
  Tile extent(const abi::Dim& index) const {
    return {std::min(tile_.x, first_.x + count_.x - index.x),
            std::min(tile_.y, first_.y + count_.y - index.y)};
  }
  /// From the first block of a tile to that of the next one; past the end it is meaningless.
  void advance(abi::Dim& index) const {
    const bool is_done = tile_.goes_down ? !advance_y(index) && !advance_x(index)
                                         : !advance_x(index) && !advance_y(index);
    if (is_done) ++index.z;
  }

 private:
  /// False: goes back to the first tile.
  bool advance_x(abi::Dim& index) const {
    const bool is_more = index.x - first_.x + tile_.x < count_.x;
    index.x = is_more ? index.x + tile_.x : first_.x;
    return is_more;
  }
  bool advance_y(abi::Dim& index) const {
    const bool is_more = index.y - first_.y + tile_.y < count_.y;
    index.y = is_more ? index.y + tile_.y : first_.y;
    return is_more;
  }

  abi::Dim first_;
  abi::Dim count_;
  Tile tile_;
  std::uint32_t columns_, rows_;  // of tiles
};

/// Shared by all workers that run the part.
class Part {
 public:
  /// `depth`: how many kernels launched one another to launch this one. `form`: what runs whole
  /// blocks, if anything does. `tile`: blocks that run as one. `workers`: have tiles to begin with
  /// (TileSupply). `slices`: see slices(). `taker`: see Children.
  Part(const abi::Kernel& kernel, const abi::LaunchContext& launch, unsigned depth = 0,
       const abi::BlockForm* form = nullptr, Tile tile = {}, unsigned workers = 1,
       unsigned slices = 1, ChildTaker* taker = nullptr)
      : kernel_(kernel),
        launch_(launch),
        form_(form),
        tiles_(launch.first_block, launch.block_count, tile),
        slices_(slices),
        threads_per_slice_(double{1} * tile.x * tile.y * threads_per_block() / slices_),
        children_(depth, taker),
        supply_(tiles_.size() * slices_, workers) {}
  const abi::Kernel& kernel() const { return kernel_; }
  const abi::LaunchContext& launch() const { return launch_; }
  const abi::BlockForm* form() const { return form_; }
  const BlockGrid& tiles() const { return tiles_; }
  /// What the form's prologue leaves to the blocks.
  char* launch_values() { return launch_values_; }
  const char* launch_values() const { return launch_values_; }
  GridBarrier& grid_barrier() { return grid_barrier_; }
  Children& children() { return children_; }
  AccessReports& accesses() { return accesses_; }
  bool waits_for_children() const { return (kernel_.flags & abi::kernel_waits_for_children) != 0; }
  bool waits_in_loops() const { return (kernel_.flags & abi::kernel_waits_in_loops) != 0; }
  bool takes_any_order() const { return (kernel_.flags & abi::kernel_takes_any_order) != 0; }
  bool hands_on() const { return (kernel_.flags & abi::kernel_hands_on) != 0; }
  bool has_grid_barriers() const { return (kernel_.flags & abi::kernel_has_grid_sync) != 0; }
  std::uint32_t threads_per_block() const {
    return launch_.block.x * launch_.block.y * launch_.block.z;
  }

  /// Each tile's threads are cut into so many pieces, which are what the supply counts: number n is
  /// piece n % slices() of tile n / slices().
  unsigned slices() const { return slices_; }
  /// Of whole tiles, as most are.
  double threads_per_slice() const { return threads_per_slice_; }

  TileSupply& supply() { return supply_; }
  /// Slices.
  std::uint64_t left() const { return supply_.left(); }

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// Ends the part: no further block starts. The first fault reported is the part's result;
  /// `stop == false` records it and goes on.
  void report(RunResult result, bool stop = true);
  /// To be called when all workers are done.
  RunResult take_result() { return std::move(result_); }

 private:
  const abi::Kernel& kernel_;
  const abi::LaunchContext& launch_;
  const abi::BlockForm* form_;
  BlockGrid tiles_;
  unsigned slices_;
  double threads_per_slice_;
  GridBarrier grid_barrier_{tiles_.size()};
  Children children_;
  AccessReports accesses_;
  TileSupply supply_;
  alignas(64) char launch_values_[abi::max_launch_value_bytes];  // NOLINT: written by a prologue
  alignas(64) std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  RunResult result_;
};

}  // namespace gridspan::devices::cpu
