// Bytes to move, bytes to work on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/plan_cost.h"

#include "runtime/plan/footprints.h"
#include "runtime/regions/box_copies.h"

#include <algorithm>

namespace gridspan::runtime {

using regions::Box;

namespace {

constexpr double run_bytes = 64;         // a stretch of its own costs like so many bytes more
constexpr double new_owner = 0.25;       // of a byte
constexpr double step_bytes = 16 << 10;  // to set up or to put together once costs like so many
constexpr double uneven = 1.125;         // as good as even
constexpr double line_bytes = 64;        // of memory that is touched at random

double volume(const std::vector<Box>& boxes) {
  double bytes = 0;
  for (const Box& box : boxes) bytes += static_cast<double>(box.volume());
  return bytes;
}

/// Of `boxes`, what other devices have.
double away(const BufferUse& use, const std::vector<Box>& boxes, unsigned device) {
  double bytes = 0;
  for (const Box& box : boxes) {
    use.buffer->holders.query(box, [&](const Box& piece, DeviceSet holders) {
      if (holders.is_empty() || holders.contains(device)) return;
      const auto runs = static_cast<double>(run_count(use.view, piece));
      bytes += static_cast<double>(piece.volume()) + run_bytes * runs;
    });
  }
  return bytes;
}

/// Set up before the part, looked through after it.
double sharing_cost(const BufferUse& use) {
  double cost = 0;
  for (const PrivateCopy& copy : use.private_copies) {
    const auto rows = static_cast<double>(copy.rows->size());
    cost += 2 * (static_cast<double>(copy.bytes) + run_bytes * rows + step_bytes);
  }
  if (!use.merges.empty()) cost += 2 * (volume(use.merges) + step_bytes);
  return cost;
}

double blocks_of(const abi::Dim& count) { return static_cast<double>(count.x) * count.y * count.z; }

}  // namespace

double bytes_of_block(const BoundLaunch& launch, const abi::Dim& grid) {
  const BlockBox middle{{grid.x / 2, grid.y / 2, grid.z / 2}, {1, 1, 1}};
  const std::int64_t* values = launch.values();
  const double lines = line_bytes * static_cast<double>(values[3] * values[4] * values[5]);
  double bytes = 0;
  for (const BoundArray& bound : launch.arrays()) {
    if (!bound.buffer) continue;
    for (std::uint32_t s = 0; s < bound.array->set_count; ++s) {
      const abi::ModelSet& set = bound.array->sets[s];
      const double touched =
          volume(footprint(launch, bound, set, middle, bound.buffer->view()).boxes);
      bytes += (set.flags & abi::set_exact_block) ? touched : std::min(touched, lines);
    }
  }
  return bytes;
}

double moving_cost(const LaunchPlan& plan, double enough) {
  double cost = 0;
  for (const PartPlan& part : plan.parts) {
    if (cost > enough) break;
    for (const BufferUse& use : part.uses) {
      cost += away(use, use.reads, part.device);
      cost += new_owner * away(use, use.writes, part.device);
      cost += sharing_cost(use);
    }
  }
  return cost;
}

double idle_bytes(const LaunchPlan& plan, const std::vector<LaunchPlan>& ways) {
  double evenest = plan.work;
  for (const LaunchPlan& way : ways) evenest = std::min(evenest, way.work);
  return std::max(0.0, plan.work - uneven * evenest);
}

std::int64_t shared_bytes(const LaunchPlan& plan) {
  std::int64_t bytes = 0;
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      for (const Box& box : use.merges) bytes += box.volume();
      for (const PrivateCopy& copy : use.private_copies) bytes += copy.bytes;
    }
  }
  return bytes;
}

void weigh(const BoundLaunch& launch, const abi::Dim& grid, std::vector<LaunchPlan>& ways) {
  const double bytes = bytes_of_block(launch, grid);
  for (LaunchPlan& way : ways) {
    double most = 0;
    for (const PartPlan& part : way.parts) most = std::max(most, blocks_of(part.block_count));
    way.work = most * bytes;
  }
}

}  // namespace gridspan::runtime
