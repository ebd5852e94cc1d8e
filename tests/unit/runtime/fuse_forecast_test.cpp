// Steps by hand: every pair of blocks, and every byte, is looked at one by one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/forecast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace gridspan::tests::fuse_forecast {

using namespace gridspan::runtime::fuse;
using runtime::BlockBox;
using runtime::regions::Box;
using runtime::regions::byte_range;

namespace {

constexpr int buffer_bytes = 400;

StepBuffer buffer(std::uintptr_t base, std::string name) {
  return {{base, buffer_bytes}, runtime::regions::linear_view(buffer_bytes), std::move(name)};
}

Steps steps_with(std::size_t buffers) {
  Steps steps;
  for (std::size_t i = 0; i < buffers; ++i)
    steps.buffers.push_back(buffer(1000 * (i + 1), std::string(1, static_cast<char>('a' + i))));
  return steps;
}

Access access(std::uint32_t of, Effect effect, int begin, int end) {
  return {of, effect, byte_range(begin, end)};
}

using BlockAccesses = std::vector<std::vector<Access>>;  // by block, x first

std::size_t number_of(const abi::Dim& grid, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return x + std::size_t{grid.x} * (y + std::size_t{grid.y} * z);
}

/// Parts touch what their blocks touch; with `hulls`, all between the first and last byte, too.
GroupStep step_of(std::string name, abi::Dim grid, abi::Dim block, BlockAccesses blocks,
                  bool hulls = false) {
  GroupStep step{std::move(name), true, grid, block, {}, {}, true, {}};
  step.touch = [grid, blocks = std::move(blocks), hulls](const BlockBox& part) {
    std::map<std::pair<std::uint32_t, Effect>, std::vector<Access>> by_kind;
    for (std::uint32_t z = part.first.z; z < part.first.z + part.count.z; ++z)
      for (std::uint32_t y = part.first.y; y < part.first.y + part.count.y; ++y)
        for (std::uint32_t x = part.first.x; x < part.first.x + part.count.x; ++x)
          for (const Access& one : blocks[number_of(grid, x, y, z)])
            by_kind[{one.buffer, one.effect}].push_back(one);
    std::vector<Access> all;
    for (auto& [kind, list] : by_kind) {
      if (!hulls) {
        all.insert(all.end(), list.begin(), list.end());
        continue;
      }
      Access hull = list.front();
      for (const Access& one : list)
        hull.box[0] = runtime::regions::hull_of(hull.box[0], one.box[0]);
      all.push_back(hull);
    }
    return all;
  };
  return step;
}

/// Blocks of ten bytes: what `effect` does to them, and `beside` bytes at both sides.
BlockAccesses rows(std::uint32_t of, Effect effect, int count, int beside = 0, int length = 10) {
  BlockAccesses blocks;
  for (int i = 0; i < count; ++i)
    blocks.push_back({access(of, effect, std::max(0, length * i - beside),
                             std::min(buffer_bytes, length * (i + 1) + beside))});
  return blocks;
}

BlockAccesses both(BlockAccesses one, const BlockAccesses& other) {
  for (std::size_t i = 0; i < one.size(); ++i)
    one[i].insert(one[i].end(), other[i].begin(), other[i].end());
  return one;
}

bool forbid(const std::vector<Access>& one, const std::vector<Access>& other) {
  for (const Access& a : one)
    for (const Access& b : other)
      if (a.buffer == b.buffer && (writes(a.effect) || writes(b.effect)) && a.box.meets(b.box))
        return true;
  return false;
}

OneKernel ask(std::vector<GroupStep> two, std::size_t buffers = 3) {
  Steps steps = steps_with(buffers);
  steps.steps = std::move(two);
  return one_kernel(steps, 0, 1);
}

}  // namespace

TEST(OneKernelTest, PointwiseMayStencilMayNot) {
  const GroupStep make = step_of("make", {8, 1, 1}, {32, 1, 1}, rows(0, Effect::must_write, 8));
  EXPECT_TRUE(
      ask({make, step_of("use", {8, 1, 1}, {32, 1, 1}, rows(0, Effect::read, 8))}).is_legal);
  const OneKernel beside =
      ask({make, step_of("use", {8, 1, 1}, {32, 1, 1}, rows(0, Effect::read, 8, 1))});
  EXPECT_FALSE(beside.is_legal);
  EXPECT_NE(beside.reason.find("of 'use' reads bytes of 'a' that block ("), std::string::npos)
      << beside.reason;
  EXPECT_NE(beside.reason.find("of 'make' writes"), std::string::npos) << beside.reason;
}

TEST(OneKernelTest, ArraysOfTheirOwnMay) {
  EXPECT_TRUE(ask({step_of("one", {8, 1, 1}, {32, 1, 1},
                           both(rows(0, Effect::must_write, 8), rows(2, Effect::read, 8, 5))),
                   step_of("other", {8, 1, 1}, {32, 1, 1},
                           both(rows(1, Effect::update, 8, 9), rows(2, Effect::read, 8, 5)))})
                  .is_legal);
}

TEST(OneKernelTest, BlocksOfUnequalSize) {
  const GroupStep quarter =
      step_of("quarter", {16, 1, 1}, {8, 1, 1}, rows(0, Effect::must_write, 16));
  const GroupStep whole = step_of("whole", {4, 1, 1}, {32, 1, 1}, rows(0, Effect::read, 4, 0, 40));
  EXPECT_TRUE(ask({quarter, whole}).is_legal);
  EXPECT_TRUE(ask({whole, quarter}).is_legal);
  const OneKernel shifted =
      ask({quarter, step_of("whole", {4, 1, 1}, {32, 1, 1}, rows(0, Effect::read, 4, 1, 40))});
  EXPECT_FALSE(shifted.is_legal);
  EXPECT_NE(shifted.reason.find("one of 4 blocks from ("), std::string::npos) << shifted.reason;
  const OneKernel odd =
      ask({quarter, step_of("odd", {16, 1, 1}, {12, 1, 1}, rows(0, Effect::read, 16))});
  EXPECT_NE(odd.reason.find("'odd' has (16, 1, 1) blocks of (12, 1, 1) threads"), std::string::npos)
      << odd.reason;
  const OneKernel fewer =
      ask({quarter, step_of("fewer", {15, 1, 1}, {8, 1, 1}, rows(0, Effect::read, 15))});
  EXPECT_FALSE(fewer.is_legal);
}

/// The last of the blocks that are one may be missing.
TEST(OneKernelTest, BlocksOfUnequalSizeAtTheEnd) {
  EXPECT_TRUE(ask({step_of("quarter", {14, 1, 1}, {8, 1, 1}, rows(0, Effect::must_write, 14)),
                   step_of("whole", {4, 1, 1}, {32, 1, 1}, rows(0, Effect::read, 4, 0, 40))})
                  .is_legal);
}

TEST(OneKernelTest, RandomBlocks) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::size_t legal = 0, forbidden = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto extent = [&](unsigned most) { return static_cast<std::uint32_t>(1 + below(most)); };
    const abi::Dim grid{extent(6), extent(3), extent(2)};
    const auto blocks = static_cast<int>(grid.x * grid.y * grid.z);
    const bool hulls = below(2) == 0;
    const int most = below(2) == 0 ? 13 : 10;  // now and then bytes of the neighbour's
    BlockAccesses lists[2];
    for (BlockAccesses& list : lists) {
      list.resize(static_cast<std::size_t>(blocks));
      for (int b = 0; b < blocks; ++b)
        for (int i = below(3); i > 0; --i) {
          const int begin = 10 * b + below(10), end = std::min(begin + 1 + below(4), 10 * b + most);
          if (begin < end)
            list[static_cast<std::size_t>(b)].push_back(access(
                static_cast<std::uint32_t>(below(2)), static_cast<Effect>(below(4)), begin, end));
        }
    }
    bool is_legal = true;
    for (std::size_t i = 0; i < lists[0].size(); ++i)
      for (std::size_t k = 0; k < lists[1].size(); ++k)
        if (i != k && forbid(lists[0][i], lists[1][k])) is_legal = false;
    const OneKernel answer = ask({step_of("one", grid, {4, 4, 1}, lists[0], hulls),
                                  step_of("other", grid, {4, 4, 1}, lists[1], hulls)});
    ASSERT_EQ(answer.is_legal, is_legal) << "round " << round << ": " << answer.reason;
    ++(is_legal ? legal : forbidden);
  }
  EXPECT_GT(legal, 300u);
  EXPECT_GT(forbidden, 200u);
}

namespace {

GroupStep moving(std::string name, std::vector<Access> accesses) {
  GroupStep step = step_of(std::move(name), {1, 1, 1}, {1, 1, 1}, {std::move(accesses)});
  step.is_kernel = false;
  return step;
}

}  // namespace

TEST(OneKernelTest, CopiesAndFillsGoToTheBlockThatTouches) {
  const GroupStep fill = moving("fill", {access(0, Effect::must_write, 0, 80)});
  const GroupStep copy =
      moving("copy", {access(1, Effect::read, 0, 80), access(0, Effect::must_write, 0, 80)});
  const GroupStep own = step_of("own", {8, 1, 1}, {32, 1, 1}, rows(0, Effect::update, 8));
  const GroupStep beside = step_of("beside", {8, 1, 1}, {32, 1, 1}, rows(0, Effect::read, 8, 1));
  const GroupStep source = step_of("source", {8, 1, 1}, {32, 1, 1}, rows(1, Effect::may_write, 8));
  const GroupStep reader = step_of("reader", {8, 1, 1}, {32, 1, 1}, rows(1, Effect::read, 8, 3));
  for (const GroupStep& one : {fill, copy}) {
    EXPECT_TRUE(ask({one, own}).is_legal);
    EXPECT_TRUE(ask({own, one}).is_legal);
    EXPECT_FALSE(ask({one, beside}).is_legal);
    EXPECT_TRUE(ask({one, reader}).is_legal);
  }
  EXPECT_TRUE(ask({fill, source}).is_legal);
  EXPECT_FALSE(ask({copy, source}).is_legal);
  EXPECT_FALSE(ask({fill, copy}).is_legal);
  EXPECT_TRUE(ask({fill, moving("fill", {access(1, Effect::must_write, 0, 9)})}).is_legal);
}

TEST(OneKernelTest, RowsAndColumnsShareNoReads) {
  BlockAccesses strided;
  for (int i = 0; i < 8; ++i) {
    strided.emplace_back();
    for (int k = 0; k < 8; ++k)
      strided.back().push_back(access(0, Effect::read, 10 * k + i, 10 * k + i + 1));
  }
  Steps steps = steps_with(3);
  steps.steps = {step_of("rows", {8, 1, 1}, {32, 1, 1}, rows(0, Effect::read, 8)),
                 step_of("columns", {8, 1, 1}, {32, 1, 1}, strided),
                 step_of("again", {8, 1, 1}, {32, 1, 1}, rows(0, Effect::read, 8, 1)),
                 step_of("own", {8, 1, 1}, {32, 1, 1}, rows(1, Effect::read, 8))};
  EXPECT_FALSE(shares_reads(steps, 0, 1));
  EXPECT_TRUE(shares_reads(steps, 0, 2));
  EXPECT_TRUE(shares_reads(steps, 0, 3));
}

namespace {

/// By byte: what a window's steps do to it.
std::uint64_t bytes_one_by_one(const Steps& steps, std::size_t first, std::size_t end,
                               const std::set<std::uintptr_t>& freed, bool as_kernel) {
  std::vector<std::vector<Access>> all;
  for (const GroupStep& step : steps.steps) all.push_back(step.touch(step.whole()));
  std::uint64_t bytes = 0;
  for (std::uint32_t b = 0; b < steps.buffers.size(); ++b) {
    for (int byte = 0; byte < buffer_bytes; ++byte) {
      const auto does = [&](std::size_t i, auto which) {
        for (const Access& one : all[i])
          if (one.buffer == b && one.box[0].begin <= byte && byte < one.box[0].end &&
              which(one.effect))
            return true;
        return false;
      };
      const auto reads_it = [](Effect effect) { return reads(effect); };
      const auto writes_it = [](Effect effect) { return writes(effect); };
      const auto makes_it = [](Effect effect) { return effect == Effect::must_write; };
      bool is_loaded = false, is_stored = false, is_made = false;
      for (std::size_t i = first; i < end; ++i) {
        is_loaded |= does(i, reads_it) && !is_made;
        is_stored |= does(i, writes_it);
        is_made |= does(i, makes_it);
      }
      bool is_dead = false, is_open = as_kernel;
      for (std::size_t i = end; is_open && i < steps.steps.size(); ++i) {
        if (!steps.steps[i].is_known || does(i, reads_it)) is_open = false;
        if (is_open && does(i, makes_it)) is_dead = true, is_open = false;
      }
      is_dead |= is_open && freed.contains(steps.buffers[b].allocation.base);
      bytes += (is_loaded ? 1 : 0) + (is_stored && !is_dead ? 1 : 0);
    }
  }
  return bytes;
}

}  // namespace

TEST(GroupBytesTest, RandomStepsByteByByte) {
  std::mt19937 random(11);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::size_t with_dead = 0;
  for (int round = 0; round < 60; ++round) {
    Steps steps = steps_with(3);
    const int count = 2 + below(4);
    for (int i = 0; i < count; ++i) {
      std::vector<Access> accesses;
      for (int k = 1 + below(4); k > 0; --k) {
        const int begin = below(40);
        accesses.push_back(access(static_cast<std::uint32_t>(below(3)),
                                  static_cast<Effect>(below(4)), begin, begin + 1 + below(40)));
      }
      steps.steps.push_back(step_of("s", {1, 1, 1}, {1, 1, 1}, {accesses}));
      steps.steps.back().is_known = below(12) != 0;
    }
    std::set<std::uintptr_t> freed;
    for (const std::uintptr_t base : {1000u, 2000u})
      if (below(3) == 0) freed.insert(base);
    const GroupBytes bytes(steps, freed);
    for (std::size_t first = 0; first < steps.steps.size(); ++first) {
      EXPECT_EQ(bytes.apart(first), bytes_one_by_one(steps, first, first + 1, freed, false));
      for (std::size_t end = first + 1; end <= steps.steps.size(); ++end) {
        ASSERT_EQ(bytes.chained(first, end), bytes_one_by_one(steps, first, end, freed, false));
        ASSERT_EQ(bytes.glued(first, end), bytes_one_by_one(steps, first, end, freed, true))
            << "round " << round;
        std::uint64_t dead = 0;
        for (const DeadArray& one : bytes.dead(first, end)) dead += one.bytes;
        ASSERT_EQ(bytes.chained(first, end) - dead, bytes.glued(first, end));
        with_dead += dead != 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(with_dead, 50u);
}

namespace {

Forecast forecast_of(const Steps& steps, const std::set<std::uintptr_t>& freed = {}) {
  return forecast(
      steps, freed, [&](std::size_t a, std::size_t b) { return one_kernel(steps, a, b); },
      [](std::size_t, std::size_t) { return std::string("not asked"); });
}

}  // namespace

/// Copies in front of the first launch run by themselves.
TEST(ForecastTest, ChainsBeginWithALaunch) {
  const auto copy = [](std::uint32_t from, std::uint32_t to) {
    return step_of("copy", {8, 1, 1}, {32, 1, 1},
                   both(rows(from, Effect::read, 8), rows(to, Effect::must_write, 8)));
  };
  Steps steps = steps_with(4);
  steps.steps = {copy(0, 1), copy(1, 2), copy(2, 3)};
  steps.steps[0].is_kernel = false;
  std::vector<std::pair<std::size_t, std::size_t>> asked;
  const auto pairs = [&](std::size_t a, std::size_t b) { return one_kernel(steps, a, b); };
  const auto reason = [&](std::size_t first, std::size_t end) {
    asked.emplace_back(first, end);
    return std::string();
  };
  Forecast all = forecast(steps, {}, pairs, reason);
  ASSERT_EQ(all.groups.size(), 1u);
  EXPECT_EQ(asked, (std::vector<std::pair<std::size_t, std::size_t>>{{1, 3}}));
  const GroupBytes bytes(steps, {});
  EXPECT_EQ(all.groups[0].chained_bytes, bytes.apart(0) + bytes.chained(1, 3));
  EXPECT_NE(all.groups[0].chained_bytes, bytes.chained(0, 3));

  steps.steps[1].is_kernel = false;
  all = forecast(steps, {}, pairs, reason);
  EXPECT_EQ(asked.size(), 1u);
  EXPECT_EQ(all.groups[0].no_chain, "nothing comes behind its launch");
  EXPECT_EQ(all.groups[0].chained_bytes, all.groups[0].apart_bytes);
}

TEST(ForecastTest, GroupsEndAtRefusals) {
  const auto copy = [](std::uint32_t from, std::uint32_t to) {
    return step_of("copy", {8, 1, 1}, {32, 1, 1},
                   both(rows(from, Effect::read, 8), rows(to, Effect::must_write, 8)));
  };
  Steps steps = steps_with(4);
  steps.steps = {copy(0, 1), copy(1, 2), copy(2, 3), copy(3, 0), copy(0, 1)};
  steps.steps[2].refusal = "prints";
  const Forecast all = forecast_of(steps);
  ASSERT_EQ(all.groups.size(), 2u);
  EXPECT_EQ(all.groups[0].first, 0u);
  EXPECT_EQ(all.groups[0].end, 2u);
  EXPECT_EQ(all.groups[1].first, 3u);
  EXPECT_EQ(all.groups[0].apart_bytes, 320u);
  // The last launch writes the second array again, and nobody has read it by then.
  EXPECT_EQ(all.groups[0].glued_bytes, 160u);
  ASSERT_EQ(all.groups[0].kernels.size(), 1u);
  EXPECT_EQ(all.groups[0].kernels[0].dead.at(0).why, "written again");
  EXPECT_EQ(all.groups[0].chained_bytes, 240u);
  EXPECT_EQ(all.groups[1].glued_bytes, 240u);
  EXPECT_EQ(all.groups[0].no_chain, "not asked");
}

/// Three steps, of which the first two or the last two may be one: those that save more are.
TEST(ForecastTest, KernelsThatSaveMost) {
  Steps steps = steps_with(4);
  steps.steps = {step_of("a", {8, 1, 1}, {32, 1, 1},
                         both(rows(0, Effect::read, 8), rows(1, Effect::must_write, 8))),
                 step_of("b", {8, 1, 1}, {32, 1, 1},
                         both(rows(1, Effect::read, 8), rows(2, Effect::must_write, 8))),
                 step_of("c", {8, 1, 1}, {32, 1, 1},
                         both(both(rows(2, Effect::read, 8), rows(1, Effect::read, 8, 1)),
                              rows(3, Effect::must_write, 8)))};
  const Forecast all = forecast_of(steps);
  ASSERT_EQ(all.groups.size(), 1u);
  ASSERT_EQ(all.groups[0].kernels.size(), 1u);
  EXPECT_EQ(all.groups[0].kernels[0].first, 1u);  // saves both of what c reads
  EXPECT_EQ(all.groups[0].kernels[0].end, 3u);
  EXPECT_EQ(all.groups[0].glued_bytes, 160u + 241u);  // a byte of the halo
}

/// A fill that two blocks need can run first, if nobody touches its bytes before it.
TEST(ForecastTest, FillsMayRunFirst) {
  for (const bool is_touched : {false, true}) {
    Steps steps = steps_with(4);
    BlockAccesses first = both(rows(0, Effect::read, 8), rows(1, Effect::must_write, 8));
    if (is_touched) first[3].push_back(access(2, Effect::read, 3, 4));
    BlockAccesses sum = rows(1, Effect::read, 8);
    for (auto& block : sum) block.push_back(access(2, Effect::update, 0, 4));
    steps.steps = {step_of("make", {8, 1, 1}, {32, 1, 1}, first),
                   moving("fill", {access(2, Effect::must_write, 0, 4)}),
                   step_of("sum", {8, 1, 1}, {32, 1, 1}, sum)};
    const Forecast all = forecast_of(steps, {2000});
    ASSERT_EQ(all.groups.size(), 1u);
    const ForecastGroup& group = all.groups[0];
    ASSERT_EQ(group.kernels.size(), is_touched ? 0u : 1u);
    EXPECT_EQ(group.glued_bytes, is_touched ? group.apart_bytes : 80u + 8 + 4);
    if (!is_touched) EXPECT_EQ(group.kernels[0].before, StepSet{1});
  }
}

/// Each kernel has to pay by itself, however long the window is.
TEST(ForecastTest, LongWindows) {
  Steps steps = steps_with(3);
  const auto add = [&](std::uint32_t from, int beside, std::uint32_t to, Effect how) {
    steps.steps.push_back(step_of("step", {8, 1, 1}, {32, 1, 1},
                                  both(rows(from, Effect::read, 8, beside), rows(to, how, 8))));
  };
  for (int i = 0; i < 40; ++i) {
    add(0, 0, 1, Effect::may_write);
    add(1, 1, 2, Effect::must_write);
    add(2, 0, 0, Effect::may_write);
  }
  const Forecast all = forecast_of(steps);
  ASSERT_EQ(all.groups.size(), 1u);
  EXPECT_EQ(all.groups[0].kernels.size(), 40u);  // the last two of each turn
}

}  // namespace gridspan::tests::fuse_forecast
