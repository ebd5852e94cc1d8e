// Chains of made-up launches: every order that must hold is looked for pair by pair.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/chain.h"
#include "runtime/fuse/strips.h"
#include "runtime/fuse/trial.h"
#include "runtime/fuse/unit_graph.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace gridspan::tests::fuse_chain {

using namespace gridspan::runtime::fuse;
using runtime::BlockBox;
using runtime::regions::Box;

namespace {

Box box_of(std::initializer_list<std::pair<int, int>> ranges) {
  Box box;
  box.rank = static_cast<int>(ranges.size());
  int dimension = 0;
  for (const auto& [begin, end] : ranges) box[dimension++] = {begin, end};
  return box;
}

/// Launches whose unit u is one block at u along `axis`.
LaunchUnits launch_of(int axis, std::vector<std::vector<Touch>> touches) {
  LaunchUnits launch{axis, {}};
  for (std::uint32_t unit = 0; unit < touches.size(); ++unit) {
    BlockBox blocks{{0, 0, 0}, {3, 3, 3}};
    (axis == 0 ? blocks.first.x : axis == 1 ? blocks.first.y : blocks.first.z) = unit;
    (axis == 0 ? blocks.count.x : axis == 1 ? blocks.count.y : blocks.count.z) = 1;
    launch.units.push_back({blocks, std::move(touches[unit])});
  }
  return launch;
}

Effects effects_with(std::size_t buffers, std::vector<LaunchUnits> launches) {
  return {std::vector<runtime::Allocation>(buffers), std::vector<runtime::regions::View>(buffers),
          std::move(launches)};
}

/// `steps` of a three-point stencil over `units`, from buffer 0 to 1 and back.
Effects stencil_steps(std::size_t steps, int units) {
  std::vector<LaunchUnits> launches;
  for (std::size_t step = 0; step < steps; ++step) {
    std::vector<std::vector<Touch>> touches;
    const auto from = static_cast<std::uint32_t>(step % 2), to = 1 - from;
    for (int u = 0; u < units; ++u)
      touches.push_back({{from, false, box_of({{10 * u - 1, 10 * u + 11}})},
                         {to, true, box_of({{10 * u, 10 * u + 10}})}});
    launches.push_back(launch_of(1, std::move(touches)));
  }
  return effects_with(2, std::move(launches));
}

Effects random_effects(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  const bool is_flat = below(2) == 0;
  std::vector<LaunchUnits> launches;
  const int count = 2 + below(5);
  for (int l = 0; l < count; ++l) {
    std::vector<std::vector<Touch>> touches(1 + static_cast<std::size_t>(below(20)));
    for (std::size_t u = 0; u < touches.size(); ++u) {
      for (int t = below(4); t >= 0; --t) {
        const int near = static_cast<int>(u) * 10 + below(12) - 4;
        const int begin = below(9) == 0 ? below(200) : near, length = below(15);
        const int row = below(6);
        const Box box = is_flat ? box_of({{begin, begin + length}})
                                : box_of({{row, row + 1 + below(2)}, {begin, begin + length}});
        touches[u].push_back({static_cast<std::uint32_t>(below(3)), below(2) == 0, box});
      }
    }
    launches.push_back(launch_of(below(3), std::move(touches)));
  }
  return effects_with(3, std::move(launches));
}

bool conflict(const Unit& a, const Unit& b) {
  for (const Touch& one : a.touches)
    for (const Touch& other : b.touches)
      if (one.buffer == other.buffer && (one.writes || other.writes) && one.box.meets(other.box))
        return true;
  return false;
}

/// Where a unit runs.
struct Place {
  std::size_t phase, strip, step;
};
bool is_before(const Place& a, const Place& b) {
  if (a.phase != b.phase) return a.phase < b.phase;
  return a.strip == b.strip && a.step < b.step;
}

/// By launch and unit. Each unit must be in one step.
std::map<std::pair<std::uint32_t, std::uint32_t>, Place> places_of(const Effects& effects,
                                                                   const Chain& chain) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> places;
  for (std::size_t phase = 0; phase < chain.size(); ++phase) {
    for (std::size_t strip = 0; strip < chain[phase].size(); ++strip) {
      for (std::size_t step = 0; step < chain[phase][strip].size(); ++step) {
        const auto& [launch, blocks] = chain[phase][strip][step];
        const int axis = effects.launches[launch].axis;
        const auto [first, count] = axis == 0   ? std::tuple(blocks.first.x, blocks.count.x)
                                    : axis == 1 ? std::tuple(blocks.first.y, blocks.count.y)
                                                : std::tuple(blocks.first.z, blocks.count.z);
        EXPECT_EQ(std::uint64_t{blocks.count.x} * blocks.count.y * blocks.count.z, count * 9u);
        for (std::uint32_t unit = first; unit < first + count; ++unit)
          EXPECT_TRUE(places.try_emplace({launch, unit}, Place{phase, strip, step}).second);
      }
    }
  }
  return places;
}

/// Adds the conflicting pairs that were looked at.
void expect_legal(const Effects& effects, const Chain& chain, std::size_t& conflicts) {
  const auto places = places_of(effects, chain);
  std::size_t units = 0;
  for (std::uint32_t m = 0; m < effects.launches.size(); ++m) {
    units += effects.launches[m].units.size();
    for (std::uint32_t l = 0; l < m; ++l)
      for (std::uint32_t a = 0; a < effects.launches[l].units.size(); ++a)
        for (std::uint32_t b = 0; b < effects.launches[m].units.size(); ++b) {
          if (!conflict(effects.launches[l].units[a], effects.launches[m].units[b])) continue;
          ++conflicts;
          ASSERT_TRUE(is_before(places.at({l, a}), places.at({m, b})))
              << "launch " << l << " unit " << a << ", launch " << m << " unit " << b;
        }
  }
  EXPECT_EQ(places.size(), units);
}

}  // namespace

TEST(UnitGraph, HasAnEdgeForEachConflict) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const Effects effects = random_effects(random);
    const UnitGraph graph = graph_of(effects);
    ASSERT_EQ(graph.first.size(), effects.launches.size());
    std::size_t edges = 0, found = 0;
    for (std::uint32_t m = 0; m < effects.launches.size(); ++m)
      for (std::uint32_t b = 0; b < effects.launches[m].units.size(); ++b) {
        std::size_t waits = 0;
        for (std::uint32_t l = 0; l < m; ++l)
          for (const Unit& a : effects.launches[l].units)
            waits += conflict(a, effects.launches[m].units[b]);
        EXPECT_EQ(graph.waits_for[graph.first[m] + b], waits);
        edges += waits;
      }
    for (const auto& followers : graph.followers) found += followers.size();
    EXPECT_EQ(found, edges);
  }
}

TEST(UnitGraph, EndsBeforeALaunchThatNeedsAll) {
  std::vector<std::vector<Touch>> rows, all;
  for (std::int64_t i = 0; i < 300; ++i) {
    rows.push_back({{0, true, box_of({{i, i + 1}})}});
    all.push_back({{0, false, box_of({{0, 300}})}, {1, true, box_of({{i, i + 1}})}});
  }
  const Effects whole = effects_with(
      2, {launch_of(0, rows), launch_of(0, rows), launch_of(0, all), launch_of(0, rows)});
  const UnitGraph graph = graph_of(whole);
  EXPECT_EQ(graph.first, (std::vector<std::uint32_t>{0, 300}));
  ASSERT_EQ(graph.waits_for.size(), 600u);
  for (std::uint32_t unit = 0; unit < 300; ++unit) {
    EXPECT_EQ(graph.followers[unit], std::vector<std::uint32_t>{unit + 300});
    EXPECT_TRUE(graph.followers[unit + 300].empty());
    EXPECT_EQ(graph.waits_for[unit + 300], 1u);
  }
}

TEST(Chain, KeepsTheOrderOfWhatConflicts) {
  std::mt19937 random(11);
  std::size_t conflicts = 0;
  for (int round = 0; round < 500; ++round) {
    const Effects effects = random_effects(random);
    const UnitGraph graph = graph_of(effects);
    ASSERT_EQ(graph.first.size(), effects.launches.size());
    const ChainCut cut{1 + static_cast<std::uint32_t>(random() % 5),
                       1 + static_cast<std::uint32_t>(random() % 7)};
    SCOPED_TRACE(round);
    ASSERT_NO_FATAL_FAILURE(expect_legal(effects, order_chain(effects, graph, cut), conflicts));
  }
  EXPECT_GT(conflicts, 10000u);
}

TEST(Chain, StripsOfAStencilAreAlone) {
  const Effects effects = stencil_steps(4, 40);
  const UnitGraph graph = graph_of(effects);
  const SplitUnits split = split_units(effects, graph, 4);
  // A strip of 10 units loses one at each inner side with each launch.
  ASSERT_EQ(split.alone.size(), 4u);
  EXPECT_EQ(split.alone[0].size(), 10u + 9 + 8 + 7);
  EXPECT_EQ(split.alone[1].size(), 10u + 8 + 6 + 4);
  EXPECT_EQ(split.alone[3].size(), 10u + 9 + 8 + 7);
  EXPECT_DOUBLE_EQ(share_of_first_phase(order_chain(effects, graph, {4, 3})), 124.0 / 160);
  ASSERT_EQ(split.between.size(), 3u);
  for (const UnitSet& units : split.between) EXPECT_EQ(units.size(), 0u + 2 + 4 + 6);
  std::size_t conflicts = 0;
  expect_legal(effects, order_chain(effects, graph, {4, 3}), conflicts);
  EXPECT_GT(conflicts, 0u);
}

TEST(Chain, OfOneStripIsASkewedWavefront) {
  const Effects effects = stencil_steps(3, 6);
  const UnitGraph graph = graph_of(effects);
  const Chain chain = order_chain(effects, graph, {1, 2});
  ASSERT_EQ(chain.size(), 1u);
  ASSERT_EQ(chain[0].size(), 1u);
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> steps;
  for (const Step& step : chain[0][0])
    steps.emplace_back(step.launch, step.blocks.first.y, step.blocks.count.y);
  const decltype(steps) want = {{0, 0, 2}, {1, 0, 1}, {0, 2, 2}, {1, 1, 2},
                                {2, 0, 2}, {0, 4, 2}, {1, 3, 3}, {2, 2, 4}};
  EXPECT_EQ(steps, want);
  EXPECT_EQ(step_count(chain), want.size());
}

TEST(Trial, WaysTakeTurns) {
  Trial trial(3);
  std::vector<std::size_t> ways;
  while (!trial.verdict()) {
    ways.push_back(*trial.begin_next());
    trial.add(ways.back(), 1);
  }
  EXPECT_EQ(ways, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2}));
}

TEST(Trial, TimesMayComeLater) {
  Trial trial(2);
  std::vector<std::size_t> ways;
  while (const auto way = trial.begin_next()) ways.push_back(*way);
  EXPECT_EQ(ways, (std::vector<std::size_t>{0, 1, 0, 1}));
  for (const std::size_t way : ways) {
    EXPECT_FALSE(trial.verdict());
    trial.add(way, way == 0 ? 100 : 50);
  }
  EXPECT_EQ(trial.verdict(), 1u);
}

TEST(Trial, WhatIsHopelessIsTriedOnce) {
  Trial trial(3);
  std::vector<std::size_t> ways;
  while (!trial.verdict()) {
    ways.push_back(*trial.begin_next());
    trial.add(ways.back(), ways.back() == 1 ? 201 : ways.back() == 2 ? 150 : 100);
  }
  EXPECT_EQ(ways, (std::vector<std::size_t>{0, 1, 2, 0, 2}));
  EXPECT_EQ(trial.verdict(), 0u);
}

TEST(Trial, WhatIsFarBehindIsTriedOnce) {
  Trial trial(4);
  std::vector<std::size_t> ways;
  while (!trial.verdict()) {
    ways.push_back(*trial.begin_next());
    trial.add(ways.back(), std::array{100, 76, 75, 50}[ways.back()]);
  }
  EXPECT_EQ(ways, (std::vector<std::size_t>{0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(trial.verdict(), 3u);
}

TEST(Trial, IsRenewed) {
  Trial trial(2);
  const auto decide = [&](std::int64_t in_order, std::int64_t chained) {
    while (!trial.verdict()) {
      const std::size_t way = *trial.begin_next();
      trial.add(way, way == 0 ? in_order : chained);
    }
    return *trial.verdict();
  };
  EXPECT_EQ(decide(100, 50), 1u);
  for (int i = 1; i < 1024; ++i) trial.follow();
  EXPECT_TRUE(trial.verdict());
  trial.follow();
  EXPECT_FALSE(trial.verdict());
  EXPECT_EQ(decide(100, 200), 0u);
  for (int i = 1; i < 1024; ++i) trial.follow();
  EXPECT_TRUE(trial.verdict());
  trial.follow();
  EXPECT_FALSE(trial.verdict());
}

TEST(Trial, ChoosesWhatIsFasterByMoreThanNoise) {
  const auto verdict_of = [](std::vector<std::vector<int>> times) {
    Trial trial(times.size());
    for (unsigned run = 0; run < Trial::runs * times.size(); ++run) {
      EXPECT_FALSE(trial.verdict());
      const std::size_t way = *trial.begin_next();
      trial.add(way, times[way].back());
      times[way].pop_back();
    }
    EXPECT_TRUE(trial.verdict());
    EXPECT_FALSE(trial.begin_next());
    return *trial.verdict();
  };
  EXPECT_EQ(verdict_of({{100, 140}, {99, 99}}), 0u);
  EXPECT_EQ(verdict_of({{100, 100}, {97, 140}}), 1u);
  EXPECT_EQ(verdict_of({{100, 100}, {97, 130}, {90, 91}}), 2u);
  EXPECT_EQ(verdict_of({{100, 100}, {120, 130}, {149, 150}}), 0u);
}

}  // namespace gridspan::tests::fuse_chain
