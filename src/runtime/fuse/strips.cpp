// Strips, and the connected components of what they leave.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/strips.h"

#include <cstddef>
#include <numeric>
#include <unordered_map>

namespace gridspan::runtime::fuse {

namespace {

constexpr std::uint32_t no_strip = ~0u;

/// The strip of each unit by its place in its launch.
std::vector<std::uint32_t> strips_by_place(const Effects& effects, std::uint32_t strips) {
  std::vector<std::uint32_t> strip_of;
  for (const LaunchUnits& launch : effects.launches) {
    const std::size_t units = launch.units.size();
    for (std::size_t unit = 0; unit < units; ++unit)
      strip_of.push_back(static_cast<std::uint32_t>(unit * strips / units));
  }
  return strip_of;
}

/// Takes units out of their strips that wait for units of others, or for such as were taken out.
void take_out_waiting(const UnitGraph& graph, std::vector<std::uint32_t>& strip_of) {
  for (std::size_t unit = 0; unit < strip_of.size(); ++unit)  // followers have larger numbers
    for (const std::uint32_t follower : graph.followers[unit])
      if (strip_of[unit] == no_strip || strip_of[follower] != strip_of[unit])
        strip_of[follower] = no_strip;
}

/// Sets of units that edges connect (union-find, with path halving).
class Components {
 public:
  explicit Components(std::size_t units) : parent_(units) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t root(std::uint32_t unit) {
    while (parent_[unit] != unit) unit = parent_[unit] = parent_[parent_[unit]];
    return unit;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

SplitUnits split_units(const Effects& effects, const UnitGraph& graph, std::uint32_t strips) {
  std::vector<std::uint32_t> strip_of = strips_by_place(effects, strips);
  take_out_waiting(graph, strip_of);
  Components components(strip_of.size());
  for (std::uint32_t unit = 0; unit < strip_of.size(); ++unit) {
    if (strip_of[unit] != no_strip) continue;
    for (const std::uint32_t follower : graph.followers[unit]) components.join(unit, follower);
  }
  SplitUnits split;
  split.alone.resize(strips);
  std::unordered_map<std::uint32_t, std::size_t> place_of;  // of a component, by its root
  for (std::uint32_t unit = 0; unit < strip_of.size(); ++unit) {
    if (strip_of[unit] != no_strip) {
      split.alone[strip_of[unit]].push_back(unit);
      continue;
    }
    const auto [at, is_new] = place_of.emplace(components.root(unit), split.between.size());
    if (is_new) split.between.emplace_back();
    split.between[at->second].push_back(unit);
  }
  std::erase_if(split.alone, [](const UnitSet& units) { return units.empty(); });
  return split;
}

}  // namespace gridspan::runtime::fuse
