// Skewed wavefronts: in each round of a strip every launch goes as far as it may.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/chain.h"

#include "runtime/fuse/strips.h"

#include <algorithm>

namespace gridspan::runtime::fuse {

namespace {

class Wavefront {
 public:
  Wavefront(const Effects& effects, const UnitGraph& graph)
      : effects_(effects), graph_(graph), open_(graph.waits_for) {}

  /// Steps for all of `units`, which wait for each other and for what is ordered already.
  Strip order(const UnitSet& units, std::uint32_t slab_units) {
    Strip strip;
    std::vector<UnitSet> by_launch = divide(units);
    std::size_t left = units.size();
    for (std::size_t limit = begin_of(by_launch) + slab_units; left != 0; limit += slab_units) {
      for (std::size_t launch = 0; launch < by_launch.size(); ++launch)
        left -= advance(launch, by_launch[launch], limit, strip);
    }
    return strip;
  }

 private:
  std::size_t units_of(std::size_t launch) const { return effects_.launches[launch].units.size(); }

  /// Places in a launch are told in units of launch 0.
  bool ends_before(std::size_t launch, std::uint32_t unit, std::size_t limit) const {
    return (unit - graph_.first[launch] + 1) * units_of(0) <= limit * units_of(launch);
  }
  std::size_t begin_of(const std::vector<UnitSet>& by_launch) const {
    std::size_t begin = units_of(0);
    for (std::size_t launch = 0; launch < by_launch.size(); ++launch) {
      if (by_launch[launch].empty()) continue;
      const std::size_t first = by_launch[launch].front() - graph_.first[launch];
      begin = std::min(begin, first * units_of(0) / units_of(launch));
    }
    return begin;
  }

  std::vector<UnitSet> divide(const UnitSet& units) const {
    std::vector<UnitSet> by_launch(effects_.launches.size());
    std::size_t launch = 0;
    for (const std::uint32_t unit : units) {
      while (launch + 1 < by_launch.size() && unit >= graph_.first[launch + 1]) ++launch;
      by_launch[launch].push_back(unit);
    }
    return by_launch;
  }

  /// Runs what may run of the units up to `limit`, removes it from them, and says how many it was.
  std::size_t advance(std::size_t launch, UnitSet& units, std::size_t limit, Strip& strip) {
    std::size_t ran = 0;
    bool continues = false;  // the unit before is in the last step
    UnitSet rest;
    std::size_t at = 0;
    for (; at < units.size() && ends_before(launch, units[at], limit); ++at) {
      const std::uint32_t unit = units[at];
      if (open_[unit] != 0) {
        rest.push_back(unit);
        continues = false;
        continue;
      }
      continues &= at > 0 && units[at - 1] + 1 == unit;
      append(launch, unit, continues, strip);
      continues = true;
      finish(unit);
      ++ran;
    }
    if (ran == 0) return 0;
    units.erase(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(at));
    units.insert(units.begin(), rest.begin(), rest.end());
    return ran;
  }

  void append(std::size_t launch, std::uint32_t unit, bool continues, Strip& strip) const {
    const LaunchUnits& cut = effects_.launches[launch];
    const BlockBox& blocks = cut.units[unit - graph_.first[launch]].blocks;
    if (!continues) return strip.push_back({static_cast<std::uint32_t>(launch), blocks});
    abi::Dim& count = strip.back().blocks.count;
    if (cut.axis == 0) count.x += blocks.count.x;
    if (cut.axis == 1) count.y += blocks.count.y;
    if (cut.axis == 2) count.z += blocks.count.z;
  }

  void finish(std::uint32_t unit) {
    for (const std::uint32_t follower : graph_.followers[unit]) --open_[follower];
  }

  const Effects& effects_;
  const UnitGraph& graph_;
  std::vector<std::uint32_t> open_;  // by unit: how many it still waits for
};

}  // namespace

Chain order_chain(const Effects& effects, const UnitGraph& graph, const ChainCut& cut) {
  Chain chain;
  Wavefront front(effects, graph);
  const SplitUnits split = split_units(effects, graph, cut.strips);
  for (const auto* sets : {&split.alone, &split.between}) {
    if (sets->empty()) continue;
    Phase& phase = chain.emplace_back();
    for (const UnitSet& units : *sets) phase.push_back(front.order(units, cut.slab_units));
  }
  return chain;
}

double share_of_first_phase(const Chain& chain) {
  double first = 0, all = 0;
  for (const Phase& phase : chain)
    for (const Strip& strip : phase)
      for (const Step& step : strip) {
        const abi::Dim& count = step.blocks.count;
        const double blocks = 1.0 * count.x * count.y * count.z;
        all += blocks;
        if (&phase == &chain.front()) first += blocks;
      }
  return all == 0 ? 0 : first / all;
}

std::size_t step_count(const Chain& chain) {
  std::size_t steps = 0;
  for (const Phase& phase : chain)
    for (const Strip& strip : phase) steps += strip.size();
  return steps;
}

}  // namespace gridspan::runtime::fuse
