// Edges between units, found through the boxes sorted along one dimension of each buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/unit_graph.h"

#include <algorithm>

namespace gridspan::runtime::fuse {

namespace {

using regions::Box;
using regions::Range;

/// A box of a launch, by the range that it is looked for.
struct Entry {
  Range range;
  const Box* box;
  std::uint32_t unit;
  bool writes;
};

/// What a launch touches of one buffer.
struct BoxIndex {
  int dimension = 0;
  std::int64_t longest = 0;
  std::vector<Entry> entries;  // in the order of range.begin
};

/// Boxes differ most in the dimension in which they are shortest beside what all of them span.
int telling_dimension(const std::vector<Entry>& entries) {
  const int rank = entries.front().box->rank;
  int best = 0;
  double best_share = 2;
  for (int dimension = 0; dimension < rank; ++dimension) {
    Range all = (*entries.front().box)[dimension];
    double lengths = 0;
    for (const Entry& entry : entries) {
      const Range& range = (*entry.box)[dimension];
      all = regions::hull_of(all, range);
      lengths += static_cast<double>(range.length());
    }
    const double share =
        lengths / static_cast<double>(entries.size()) / static_cast<double>(all.length());
    if (share < best_share) {
      best = dimension;
      best_share = share;
    }
  }
  return best;
}

void sort(BoxIndex& index) {
  if (index.entries.empty()) return;
  index.dimension = telling_dimension(index.entries);
  for (Entry& entry : index.entries) {
    entry.range = (*entry.box)[index.dimension];
    index.longest = std::max(index.longest, entry.range.length());
  }
  std::ranges::sort(index.entries, {}, [](const Entry& entry) { return entry.range.begin; });
}

std::vector<BoxIndex> index_of(const LaunchUnits& launch, std::uint32_t first,
                               std::size_t buffers) {
  std::vector<BoxIndex> indices(buffers);
  for (std::uint32_t unit = 0; unit < launch.units.size(); ++unit)
    for (const Touch& touch : launch.units[unit].touches)
      if (!touch.box.is_empty())
        indices[touch.buffer].entries.push_back({{}, &touch.box, first + unit, touch.writes});
  for (BoxIndex& index : indices) sort(index);
  return indices;
}

/// Calls `found(unit)` for units in the index that the touch has a conflict with; some repeatedly.
/// Says how many boxes it looked at.
template <class Found>
std::size_t look_up(const BoxIndex& index, const Touch& touch, Found found) {
  if (index.entries.empty()) return 0;
  const Range& range = touch.box[index.dimension];
  auto at = std::ranges::lower_bound(index.entries, range.begin - index.longest, {},
                                     [](const Entry& entry) { return entry.range.begin; });
  const auto begin = at;
  for (; at != index.entries.end() && at->range.begin < range.end; ++at)
    if ((at->writes || touch.writes) && at->box->meets(touch.box)) found(at->unit);
  return static_cast<std::size_t>(at - begin);
}

/// A unit of a chain waits for its neighbours in each earlier launch, not for most of them.
constexpr std::size_t most_edges_of_unit_and_launch = 24;
/// Boxes looked at for each edge that there may be.
constexpr std::size_t most_looks_per_edge = 16;

/// Adds launches to a graph as long as they are no obstacle to a chain.
class Builder {
 public:
  explicit Builder(const Effects& effects) : effects_(effects) {}
  UnitGraph build();

 private:
  bool add(std::uint32_t launch);
  void wait_for(std::uint32_t unit, std::uint32_t other);
  void take_back(std::uint32_t launch);

  const Effects& effects_;
  UnitGraph graph_;
  std::vector<std::vector<BoxIndex>> earlier_;
  std::vector<std::uint32_t> seen_by_;  // by unit: the last one that was found to wait for it
  std::size_t edges_ = 0;               // of the launch that is being added
};

void Builder::wait_for(std::uint32_t unit, std::uint32_t other) {
  if (seen_by_[other] == unit) return;
  seen_by_[other] = unit;
  graph_.followers[other].push_back(unit);
  ++graph_.waits_for[unit];
  ++edges_;
}

/// False: too many edges.
bool Builder::add(std::uint32_t launch) {
  const LaunchUnits& units = effects_.launches[launch];
  const std::size_t most_edges = most_edges_of_unit_and_launch * units.units.size() * launch;
  const auto first = static_cast<std::uint32_t>(graph_.waits_for.size());
  graph_.first.push_back(first);
  graph_.waits_for.resize(first + units.units.size());
  graph_.followers.resize(first + units.units.size());
  seen_by_.resize(first + units.units.size(), ~0u);
  edges_ = 0;
  std::size_t looks = 0;
  for (std::uint32_t i = 0; i < units.units.size(); ++i) {
    for (const Touch& touch : units.units[i].touches) {
      if (touch.box.is_empty()) continue;
      for (const auto& indices : earlier_)
        looks += look_up(indices[touch.buffer], touch,
                         [&](std::uint32_t other) { wait_for(first + i, other); });
    }
    if (edges_ > most_edges || looks > most_looks_per_edge * most_edges) return false;
  }
  earlier_.push_back(index_of(units, first, effects_.buffers.size()));
  return true;
}

void Builder::take_back(std::uint32_t launch) {
  const std::uint32_t first = graph_.first[launch];
  graph_.first.pop_back();
  graph_.waits_for.resize(first);
  graph_.followers.resize(first);
  for (auto& followers : graph_.followers)
    while (!followers.empty() && followers.back() >= first) followers.pop_back();
}

UnitGraph Builder::build() {
  for (std::uint32_t launch = 0; launch < effects_.launches.size(); ++launch) {
    if (add(launch)) continue;
    take_back(launch);
    break;
  }
  return std::move(graph_);
}

}  // namespace

UnitGraph graph_of(const Effects& effects) { return Builder(effects).build(); }

}  // namespace gridspan::runtime::fuse
