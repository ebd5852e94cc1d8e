// Footprints of units of blocks, in one view of each buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/effects.h"

#include "runtime/fuse/refusal.h"
#include "runtime/plan/attempt.h"
#include "runtime/plan/bound_launch.h"
#include "runtime/plan/footprints.h"
#include "runtime/plan/outline.h"
#include "runtime/regions/box_copies.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

namespace gridspan::runtime::fuse {

namespace {

/// Of one set. Chains of launches whose units touch many boxes would take long to plan.
constexpr std::size_t most_boxes_of_unit = 16;

std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) { return (a - 1) / b + 1; }

/// Blocks [first, first + count) along `axis` of all others.
BlockBox slice(const abi::Dim& grid, int axis, std::uint32_t first, std::uint32_t count) {
  BlockBox part{{0, 0, 0}, grid};
  along(part.first, axis) = first;
  along(part.count, axis) = count;
  return part;
}

class Collector {
 public:
  explicit Collector(const AllocationTable& allocations) : table_(allocations, 1) {}

  /// False: nothing may be done; `error` says why.
  bool bind(const KernelCommand& command, std::string& error) {
    if (!command.kernel->model) {
      error = reason_apart(*command.kernel);
      return false;
    }
    const BoundLaunch& launch = launches_.emplace_back(command, table_);
    if (auto refusal = refusal_of(*command.kernel, launch)) {
      error = std::move(*refusal);
      return false;
    }
    for (const BoundArray& bound : launch.arrays()) meet(launch, bound);
    return true;
  }

  std::uint32_t unit_count(const UnitSize& size) const {
    std::size_t bytes = 0;
    for (const VirtualBuffer* buffer : buffers_) bytes += buffer->allocation.size;
    const std::size_t units = size.least_bytes == 0 ? size.most_units : bytes / size.least_bytes;
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(units, 1, size.most_units));
  }

  /// `count` launches from `index` on become one.
  void cut(const abi::Dim& grid, std::size_t index, std::size_t count, std::uint32_t most_units) {
    LaunchUnits cut{axis_of(launches_[index], grid, most_units), {}};
    abi::Dim whole = grid;
    const std::uint32_t blocks = along(whole, cut.axis), length = divide_up(blocks, most_units);
    for (std::uint32_t first = 0; first < blocks; first += length) {
      const BlockBox part = slice(grid, cut.axis, first, std::min(length, blocks - first));
      Unit& unit = cut.units.emplace_back(part);
      for (std::size_t i = index; i < index + count; ++i)
        std::ranges::move(touches(launches_[i], part), std::back_inserter(unit.touches));
    }
    effects_.launches.push_back(std::move(cut));
  }

  Effects take() {
    for (const VirtualBuffer* buffer : buffers_) effects_.buffers.push_back(buffer->allocation);
    return std::move(effects_);
  }

 private:
  /// The first launch that sees rows in a buffer gives the view.
  void meet(const BoundLaunch& launch, const BoundArray& bound) {
    if (!bound.buffer) return;
    const auto at =
        static_cast<std::size_t>(std::ranges::find(buffers_, bound.buffer) - buffers_.begin());
    if (at == buffers_.size()) {
      buffers_.push_back(bound.buffer);
      effects_.views.push_back(launch_view(launch, *bound.buffer));
    } else if (effects_.views[at].rank == 1) {
      effects_.views[at] = launch_view(launch, *bound.buffer);
    }
  }

  /// The axis along which a unit's bytes lie in the fewest runs: rows for a grid over a matrix,
  /// planes for one over a volume. Of equal ones the outermost.
  int axis_of(const BoundLaunch& launch, abi::Dim grid, std::uint32_t most_units) const {
    int best = 0;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (int axis = 2; axis >= 0; --axis) {
      const std::uint32_t blocks = along(grid, axis);
      if (blocks == 1) continue;
      const std::uint32_t length = divide_up(blocks, most_units);
      const std::uint32_t middle = blocks / length / 2 * length;
      std::int64_t runs = 0;
      for (const Touch& touch :
           touches(launch, slice(grid, axis, middle, std::min(length, blocks - middle))))
        runs += run_count(effects_.views[touch.buffer], touch.box);
      if (runs >= fewest) continue;
      fewest = runs;
      best = axis;
    }
    return best;
  }

  std::vector<Touch> touches(const BoundLaunch& launch, const BlockBox& part) const {
    std::vector<Touch> all;
    for (const BoundArray& bound : launch.arrays()) {
      if (!bound.buffer) continue;
      const auto at = std::ranges::find(buffers_, bound.buffer) - buffers_.begin();
      const regions::View& view = effects_.views[static_cast<std::size_t>(at)];
      for (std::uint32_t i = 0; i < bound.array->set_count; ++i) {
        const abi::ModelSet& set = bound.array->sets[i];
        for (const regions::Box& box :
             outlined_footprint(launch, bound, set, part, view, most_boxes_of_unit).boxes)
          all.push_back({static_cast<std::uint32_t>(at), is_write(set.kind), box});
      }
    }
    return all;
  }

  BufferTable table_;
  std::vector<BoundLaunch> launches_;
  std::vector<const VirtualBuffer*> buffers_;
  Effects effects_;
};

}  // namespace

support::Result<Effects> effects_of(std::span<KernelCommand* const> launches,
                                    const AllocationTable& allocations, const UnitSize& size,
                                    std::span<const std::size_t> counts) {
  Collector collector(allocations);
  std::string error;
  for (const KernelCommand* launch : launches)
    if (!collector.bind(*launch, error)) return support::fail(std::move(error));
  const std::uint32_t units = collector.unit_count(size);
  std::size_t first = 0;
  for (std::size_t i = 0; first < launches.size(); ++i) {
    const std::size_t count = counts.empty() ? 1 : counts[i];
    collector.cut(launches[first]->shape.grid, first, count, units);
    first += count;
  }
  return collector.take();
}

TouchedBytes touched_bytes(const Effects& effects) {
  TouchedBytes bytes;
  std::vector<std::vector<regions::Box>> all(effects.buffers.size());
  for (const LaunchUnits& launch : effects.launches) {
    std::vector<std::vector<regions::Box>> own[2];
    own[0].resize(all.size());
    own[1].resize(all.size());
    for (const Unit& unit : launch.units) {
      for (const Touch& touch : unit.touches) {
        own[touch.writes ? 1 : 0][touch.buffer].push_back(touch.box);
        all[touch.buffer].push_back(touch.box);
      }
    }
    for (const auto& kind : own)
      for (const auto& boxes : kind)
        if (!boxes.empty()) bytes.each += static_cast<double>(hull_of(boxes).volume());
  }
  for (const auto& boxes : all)
    if (!boxes.empty()) bytes.together += static_cast<double>(hull_of(boxes).volume());
  return bytes;
}

}  // namespace gridspan::runtime::fuse
