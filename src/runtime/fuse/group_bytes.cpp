// Unions of boxes, step after step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/group_bytes.h"

#include "runtime/regions/region.h"

#include <algorithm>

namespace gridspan::runtime::fuse {

namespace {

using regions::Region;

using Regions = std::vector<Region>;  // by buffer

std::uint64_t bytes_of(const Regions& all) {
  std::int64_t bytes = 0;
  for (const Region& one : all) bytes += one.volume();
  return static_cast<std::uint64_t>(bytes);
}

/// What of `box` lies outside of the region.
Region rest_of(const regions::Box& box, const Region& outside_of) {
  Region rest(box);
  rest.subtract(outside_of);
  return rest;
}

}  // namespace

/// What steps as one kernel load, store, and need not store.
struct GroupBytes::Fate {
  explicit Fate(std::size_t buffers)
      : loaded(buffers), stored(buffers), overwritten(buffers), freed(buffers) {}

  Regions loaded, stored;  // stored: dead ones, too
  Regions overwritten, freed;
};

GroupBytes::GroupBytes(const Steps& steps, const std::set<std::uintptr_t>& freed)
    : steps_(steps), freed_(freed) {
  for (const GroupStep& step : steps.steps) {
    accesses_.push_back(step.touch(step.whole()));
    is_exact_.push_back(step.is_known && std::ranges::all_of(accesses_.back(), &Access::is_exact));
  }
}

std::uint64_t GroupBytes::apart(std::size_t step) const { return chained(step, step + 1); }

GroupBytes::Fate GroupBytes::fate_of(std::size_t first, std::size_t end,
                                     const StepSet& before) const {
  Fate fate(steps_.buffers.size());
  Regions made(steps_.buffers.size());
  for (std::size_t i = first; i < end; ++i) {
    if (before.contains(i)) continue;
    for (const Access& access : accesses_[i])
      if (reads(access.effect))
        fate.loaded[access.buffer].add(rest_of(access.box, made[access.buffer]));
    for (const Access& access : accesses_[i]) {
      if (writes(access.effect)) fate.stored[access.buffer].add(access.box);
      if (access.effect == Effect::must_write) made[access.buffer].add(access.box);
    }
  }
  return fate;
}

std::uint64_t GroupBytes::chained(std::size_t first, std::size_t end) const {
  const Fate fate = fate_of(first, end, {});
  return bytes_of(fate.loaded) + bytes_of(fate.stored);
}

/// Follows what was stored through the rest of the window.
void GroupBytes::find_dead(Fate& fate, std::size_t end) const {
  Regions open = fate.stored;
  for (std::size_t i = end; i < accesses_.size(); ++i) {
    if (!steps_.steps[i].is_known) return;  // it may read all of it
    for (const Access& access : accesses_[i])
      if (reads(access.effect)) open[access.buffer].subtract(access.box);
    for (const Access& access : accesses_[i]) {
      if (access.effect != Effect::must_write) continue;
      fate.overwritten[access.buffer].add(open[access.buffer].intersection(access.box));
      open[access.buffer].subtract(access.box);
    }
  }
  for (std::size_t i = 0; i < open.size(); ++i)
    if (freed_.contains(steps_.buffers[i].allocation.base)) fate.freed[i] = std::move(open[i]);
}

std::uint64_t GroupBytes::glued(std::size_t first, std::size_t end, const StepSet& before) const {
  Fate fate = fate_of(first, end, before);
  find_dead(fate, end);
  return bytes_of(fate.loaded) + bytes_of(fate.stored) - bytes_of(fate.overwritten) -
         bytes_of(fate.freed);
}

std::vector<DeadArray> GroupBytes::dead(std::size_t first, std::size_t end,
                                        const StepSet& before) const {
  Fate fate = fate_of(first, end, before);
  find_dead(fate, end);
  std::vector<DeadArray> all;
  const auto append = [&](std::size_t buffer, const Region& region, const char* why) {
    if (region.empty()) return;
    const std::string& name = steps_.buffers[buffer].name;
    all.push_back(
        {name.empty() ? "a buffer" : name, why, static_cast<std::uint64_t>(region.volume())});
  };
  for (std::size_t i = 0; i < steps_.buffers.size(); ++i) {
    append(i, fate.overwritten[i], "written again");
    append(i, fate.freed[i], "freed");
  }
  return all;
}

std::vector<bool> GroupBytes::dead_buffers(std::size_t first, std::size_t end) const {
  Fate fate = fate_of(first, end, {});
  find_dead(fate, end);
  std::vector<bool> dead;
  for (std::size_t i = 0; i < steps_.buffers.size(); ++i) {
    const std::int64_t stored = fate.stored[i].volume();
    dead.push_back(stored > 0 && fate.overwritten[i].volume() + fate.freed[i].volume() == stored);
  }
  return dead;
}

bool GroupBytes::are_ordered(std::size_t one, std::size_t other) const {
  for (const Access& first : accesses_[one])
    for (const Access& second : accesses_[other])
      if (first.buffer == second.buffer && (writes(first.effect) || writes(second.effect)) &&
          first.box.meets(second.box))
        return true;
  return false;
}

}  // namespace gridspan::runtime::fuse
