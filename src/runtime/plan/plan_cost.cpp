// Bytes to move, bytes to work on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/plan_cost.h"

#include "runtime/plan/cut.h"
#include "runtime/regions/box_copies.h"

#include <algorithm>
#include <optional>

namespace gridspan::runtime {

using regions::Box;

namespace {

constexpr double run_bytes = 64;         // a stretch of its own costs like so many bytes more
constexpr double new_owner = 0.25;       // of a byte
constexpr double step_bytes = 16 << 10;  // to set up or to put together once costs like so many
constexpr double uneven = 1.125;         // as good as even

double volume(const std::vector<Box>& boxes) {
  double bytes = 0;
  for (const Box& box : boxes) bytes += static_cast<double>(box.volume());
  return bytes;
}

using Places = regions::RegionMap<DeviceSet>;

/// Of `box`, what other devices have.
double away(const Places& places, const Box& box, unsigned device, const Machine& machine) {
  double cost = 0;
  places.query(box, [&](const Box& piece, DeviceSet holders) {
    if (holders.is_empty() || holders.contains(device)) return;
    const auto runs = static_cast<double>(run_count(places.view(), piece));
    const auto bytes = static_cast<double>(piece.volume());
    cost += (bytes + run_bytes * runs) * machine.moving(holders, device, bytes);
  });
  return cost;
}

double away(const BufferUse& use, const std::vector<Box>& boxes, unsigned device,
            const Machine& machine) {
  double cost = 0;
  for (const Box& box : boxes) cost += away(use.buffer->holders, box, device, machine);
  return cost;
}

/// Calls take(part, use) for the uses of the buffer.
template <class Take>
void for_each_use(const LaunchPlan& plan, const VirtualBuffer& buffer, Take take) {
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      if (use.buffer == &buffer) take(part, use);
    }
  }
}

/// Whose writes tell where the buffer's bytes will lie; null: nobody's.
const VirtualBuffer* model_of(const LaunchPlan& plan, const VirtualBuffer& buffer) {
  const VirtualBuffer* alike = nullptr;
  const regions::View* view = nullptr;
  for_each_use(plan, buffer, [&](const PartPlan&, const BufferUse& use) { view = &use.view; });
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      if (use.writes.empty() || !view || use.view != *view) continue;
      if (use.buffer == &buffer) return &buffer;
      if (!alike) alike = use.buffer;
    }
  }
  return alike;
}

/// Set up before the part, looked through after it. Where that is not the home device, there and
/// back.
double sharing_cost(const BufferUse& use, unsigned device, const Machine& machine) {
  double cost = 0;
  for (const PrivateCopy& copy : use.private_copies) {
    const auto rows = static_cast<double>(copy.rows->size());
    cost += 2 * (static_cast<double>(copy.bytes) + run_bytes * rows + step_bytes);
  }
  if (!use.merges.empty()) cost += 2 * (volume(use.merges) + step_bytes);
  return cost * std::max(machine.moving(device, 0), machine.moving(0, device));
}

/// What the part's blocks touch; as if axes had nothing to do with each other.
double work_of(const PartPlan& part, const WorkProfile& profile, const abi::Dim& grid) {
  double work = profile.block_bytes;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const AxisProfile& along = profile.axes[axis];
    const double blocks = extent(grid, axis), first = extent(part.first_block, axis);
    const double count = extent(part.block_count, axis);
    work *= along.is_even()
                ? count
                : blocks * (along.before((first + count) / blocks) - along.before(first / blocks));
  }
  return work;
}

}  // namespace

double moving_cost(const LaunchPlan& plan, const Machine& machine, double enough) {
  double cost = 0;
  for (const PartPlan& part : plan.parts) {
    if (cost > enough) break;
    for (const BufferUse& use : part.uses) {
      cost += away(use, use.reads, part.device, machine);
      cost += new_owner * away(use, use.writes, part.device, machine);
      cost += sharing_cost(use, part.device, machine);
    }
  }
  return cost;
}

double repeated_cost(const LaunchPlan& plan, const VirtualBuffer& buffer, const Machine& machine) {
  std::optional<Places> places;
  for_each_use(plan, buffer, [&](const PartPlan&, const BufferUse& use) {
    if (!places) places.emplace(use.view, DeviceSet{});
  });
  if (!places) return 0;
  if (const VirtualBuffer* const model = model_of(plan, buffer)) {
    for_each_use(plan, *model, [&](const PartPlan& part, const BufferUse& use) {
      for (const Box& box : use.writes) places->assign(box, DeviceSet::only(part.device));
    });
  }
  double cost = 0;
  for_each_use(plan, buffer, [&](const PartPlan& part, const BufferUse& use) {
    for (const Box& box : use.reads) {
      cost += away(*places, box, part.device, machine);
      places->update(box, [&](DeviceSet holders) { return holders.with(part.device); });
    }
  });
  return cost;
}

double repeated_cost(const LaunchPlan& plan, const Machine& machine) {
  std::vector<const VirtualBuffer*> seen;
  double cost = 0;
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      if (std::ranges::count(seen, use.buffer) != 0) continue;
      seen.push_back(use.buffer);
      cost += repeated_cost(plan, *use.buffer, machine);
    }
  }
  return cost;
}

double copying_cost(std::span<const CopyStep> copies, const Machine& machine) {
  double cost = 0;
  for (const CopyStep& step : copies) {
    auto bytes = static_cast<double>(step.bytes);
    for (const regions::BoxCopy& box : *step.boxes) {
      bytes += run_bytes * static_cast<double>(box.extent.height * box.extent.depth);
    }
    cost += bytes * machine.moving(step.from, step.to);
  }
  return cost;
}

double idle_bytes(const LaunchPlan& plan, const std::vector<LaunchPlan>& ways) {
  double evenest = plan.work;
  for (const LaunchPlan& way : ways) evenest = std::min(evenest, way.work);
  return std::max(0.0, plan.work - uneven * evenest);
}

double standing_cost(const LaunchPlan& plan, const std::vector<LaunchPlan>& ways,
                     const Machine& machine, std::size_t copies) {
  const auto commands = static_cast<double>(plan.parts.size() + copies);
  return idle_bytes(plan, ways) + machine.beginning() * commands;
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

void weigh(const WorkProfile& profile, const abi::Dim& grid, const Machine& machine,
           std::vector<LaunchPlan>& ways) {
  for (LaunchPlan& way : ways) {
    way.work = 0;
    for (PartPlan& part : way.parts) {
      part.bytes = work_of(part, profile, grid);
      way.work = std::max(way.work, part.bytes * machine.working(part.device));
    }
  }
}

}  // namespace gridspan::runtime
