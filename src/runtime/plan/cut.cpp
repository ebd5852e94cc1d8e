// Proportional cuts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/cut.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridspan::runtime {

std::uint32_t extent(const abi::Dim& grid, unsigned axis) {
  return axis == 0 ? grid.x : axis == 1 ? grid.y : grid.z;
}

namespace {

/// The first device of a group.
std::size_t first_of(std::size_t group, std::size_t groups, std::size_t devices) {
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is a group, since it is one's number
  return group * devices / groups;
}

/// edge(units, before, all): how many of the units lie before the device before which devices of
/// speeds `before`, of `all`, come.
template <class Edge>
std::vector<CutPart> cut_where(const abi::Dim& grid, unsigned axis, std::uint32_t granularity,
                               std::span<const std::uint32_t> speeds, Edge edge) {
  const std::uint64_t blocks = extent(grid, axis);
  const std::uint64_t unit = std::max<std::uint64_t>(granularity, 1);
  const std::uint64_t units = (blocks + unit - 1) / unit;
  const std::uint64_t all = std::accumulate(speeds.begin(), speeds.end(), std::uint64_t{0});
  std::vector<CutPart> parts;
  std::uint64_t before = 0, begin = 0;
  for (unsigned device = 0; device < speeds.size(); ++device) {
    before += speeds[device];
    const std::uint64_t end = edge(units, before, all);
    if (begin == end) continue;
    const auto first = static_cast<std::uint32_t>(begin * unit);
    const auto count = static_cast<std::uint32_t>(std::min(end * unit, blocks) - begin * unit);
    BlockBox box{{0, 0, 0}, grid};
    (axis == 0 ? box.first.x : axis == 1 ? box.first.y : box.first.z) = first;
    (axis == 0 ? box.count.x : axis == 1 ? box.count.y : box.count.z) = count;
    parts.push_back({device, box});
    begin = end;
  }
  return parts;
}

}  // namespace

std::vector<CutPart> cut(const abi::Dim& grid, unsigned axis, std::uint32_t granularity,
                         std::span<const std::uint32_t> speeds) {
  // Rounded to the nearest unit, so that equal devices differ by one unit at most. Units and speeds
  // are both below 2^32.
  return cut_where(grid, axis, granularity, speeds,
                   [](std::uint64_t units, std::uint64_t before, std::uint64_t all) {
                     return (2 * units * before + all) / (2 * all);
                   });
}

std::vector<CutPart> cut(const abi::Dim& grid, unsigned axis, std::uint32_t granularity,
                         std::span<const std::uint32_t> speeds, const AxisProfile& profile) {
  return cut_where(grid, axis, granularity, speeds,
                   [&](std::uint64_t units, std::uint64_t before, std::uint64_t all) {
                     const double work = static_cast<double>(before) / static_cast<double>(all);
                     const double place = profile.place_of(work) * static_cast<double>(units);
                     return static_cast<std::uint64_t>(std::llround(place));
                   });
}

std::vector<CutPart> cut(const abi::Dim& grid, const Crossing& crossing,
                         std::span<const std::uint32_t> speeds) {
  const auto members = [&](std::size_t group) {
    const std::size_t first = first_of(group, crossing.groups, speeds.size());
    return speeds.subspan(first, first_of(group + 1, crossing.groups, speeds.size()) - first);
  };
  std::vector<std::uint32_t> together;  // speeds of the groups
  for (std::size_t group = 0; group < crossing.groups; ++group) {
    const auto own = members(group);
    together.push_back(std::accumulate(own.begin(), own.end(), std::uint32_t{0}));
  }
  std::vector<CutPart> parts;
  for (const CutPart& slab : cut(grid, crossing.outer, crossing.outer_granularity, together)) {
    const auto first = first_of(slab.device, crossing.groups, speeds.size());
    // The slab spans the grid along the inner axis: its parts begin where they do in the grid.
    for (CutPart part :
         cut(slab.blocks.count, crossing.inner, crossing.inner_granularity, members(slab.device))) {
      part.device += static_cast<unsigned>(first);
      part.blocks.first.x += slab.blocks.first.x;
      part.blocks.first.y += slab.blocks.first.y;
      part.blocks.first.z += slab.blocks.first.z;
      parts.push_back(part);
    }
  }
  return parts;
}

}  // namespace gridspan::runtime
