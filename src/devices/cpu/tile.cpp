// Which blocks of a launch run as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/tile.h"

#include <algorithm>

namespace gridspan::devices::cpu {
namespace {

/// Rows of blocks that are one row high are read once, from wherever they are.
constexpr std::uint32_t rows_on_end = 4;
/// Fewer would not finish together.
constexpr std::uint64_t tiles_per_worker = 4;

std::uint32_t divide_up(std::uint32_t number, std::uint32_t by) {
  return number / by + (number % by != 0 ? 1 : 0);
}

std::uint32_t at_least_one(std::uint64_t most, std::uint64_t wanted, std::uint64_t there_are) {
  return static_cast<std::uint32_t>(
      std::max<std::uint64_t>(1, std::min({most, wanted, there_are})));
}

}  // namespace

Tile tile_for(const abi::BlockForm& form, const abi::LaunchContext& launch, unsigned workers) {
  const abi::Dim &block = launch.block, &count = launch.block_count;
  if (!abi::joins_blocks(form, launch.grid, block)) return {};
  std::uint64_t most = std::uint64_t{count.x} * count.y * count.z;
  if (workers > 1) most /= tiles_per_worker * workers;
  const bool is_flat = block.y * block.z == 1;
  const std::uint32_t threads = form.joined_threads * (is_flat ? rows_on_end : 1);
  Tile tile;
  tile.x = at_least_one(most, threads / block.x, count.x);
  if (abi::joins_rows(form, launch.grid, block)) {
    tile.y = at_least_one(most / tile.x, form.joined_rows / block.y, count.y);
    tile.goes_down = true;
  }
  return tile;
}

unsigned slices_for(const abi::Kernel& kernel, const abi::LaunchContext& launch, Tile tile,
                    unsigned workers) {
  constexpr std::uint64_t threads_worth_it = 256;
  const bool may_be_cut =
      (kernel.flags & abi::kernel_threads_are_apart) != 0 && kernel.region_count == 1;
  const abi::Dim &block = launch.block, &count = launch.block_count;
  const std::uint64_t tiles =
      std::uint64_t{divide_up(count.x, tile.x)} * divide_up(count.y, tile.y) * count.z;
  if (workers == 1 || tiles == 0 || !may_be_cut) return 1;
  const std::uint64_t threads = std::uint64_t{1} * tile.x * tile.y * block.x * block.y * block.z;
  return at_least_one(tiles_per_worker * workers / tiles, threads / threads_worth_it, threads);
}

}  // namespace gridspan::devices::cpu
