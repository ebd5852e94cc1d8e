// Memory behind what devices touch: taken, evicted, copied home.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/limited_device.h"
#include "plan_bench.h"
#include "residency_fixture.h"

#include <gmock/gmock.h>

#include <numeric>

namespace gridspan::tests::plan_residency {

namespace {

TEST_F(ResidencyTest, MemoryIsTakenForWhatIsTouched) {
  VirtualBuffer& a = buffer('a');
  EXPECT_TRUE(use(a, 150, 151));
  EXPECT_EQ(memory_of(a), "-x------");
  EXPECT_TRUE(use(a, 299, 401));
  EXPECT_EQ(memory_of(a), "-xxxx---");
  EXPECT_TRUE(use(a, 749, 750));
  EXPECT_EQ(memory_of(a), "-xxxx--x");
  EXPECT_EQ(small.left, 550u);
}

TEST_F(ResidencyTest, WhatWasUsedLongestAgoGoesFirst) {
  VirtualBuffer &a = buffer('a'), &b = buffer('b');
  EXPECT_TRUE(use(a, 0, 400));
  EXPECT_TRUE(use(b, 0, 500));
  EXPECT_TRUE(use(a, 0, 100));
  EXPECT_TRUE(use(b, 500, 750));
  EXPECT_EQ(memory_of(a), "x--x----");
  EXPECT_EQ(memory_of(b), "xxxxxxxx");
  EXPECT_EQ(traffic.evicted.bytes.get(), 200u);
  EXPECT_EQ(traffic.written_back.copies.get(), 0u);
}

TEST_F(ResidencyTest, WhatOnlyTheDeviceHasIsCopiedHome) {
  VirtualBuffer &a = buffer('a'), &b = buffer('b');
  write(a, 50, 60, 'n');
  write(a, 420, 430, 'n');
  EXPECT_TRUE(use(a, 0, 700));
  EXPECT_TRUE(use(b, 0, 750));
  EXPECT_EQ(traffic.written_back.bytes.get(), 20u);
  EXPECT_EQ(traffic.of(Cause::eviction).bytes.get(), 20u);
  EXPECT_EQ(contents[0]->substr(45, 20), "aaaaannnnnnnnnnaaaaa");
  EXPECT_EQ(a.holders.at(55), DeviceSet::only(0));
  EXPECT_EQ(a.holders.at(425), DeviceSet::only(0));
}

TEST_F(ResidencyTest, WorkOnItsWayIsWaitedFor) {
  VirtualBuffer &a = buffer('a'), &b = buffer('b');
  Gate gate;
  std::vector<Edge> none;
  coherence->push(1, gate.work(), none);
  write(a, 0, 700, 'n');
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
  });
  EXPECT_TRUE(use(b, 0, 750));
  opener.join();
  EXPECT_EQ(memory_of(a), "-----xx-");
  EXPECT_EQ(*contents[0], std::string(500, 'n') + std::string(250, 'a'));
}

/// A streamed copy's own readers are known: those of other units go on.
TEST_F(ResidencyTest, WorkOnOtherUnitsIsNotWaitedFor) {
  VirtualBuffer &a = buffer('a'), &b = buffer('b');
  coherence->stream(a, 1);
  coherence->stream(b, 1);
  write(a, 0, 300, 'n');
  EXPECT_TRUE(use(b, 0, 700));
  Gate gate;
  std::vector<Edge> none;
  const Box read = byte_range(0, 700);
  const Ticket reading = coherence->push(1, gate.work(), none);
  coherence->note_own_read(b, 1, {&read, 1}, reading);
  EXPECT_TRUE(use(a, 300, 600));  // takes the place of the first units of a
  EXPECT_EQ(memory_of(a), "---xxx--");
  EXPECT_FALSE(coherence->lane(1).queue->is_finished(reading));
  EXPECT_EQ(contents[0]->substr(0, 302), std::string(300, 'n') + "aa");
  gate.open();
}

TEST_F(ResidencyTest, MoreThanThereIsChangesNothing) {
  VirtualBuffer &a = buffer('a'), &b = buffer('b');
  small.left = 500;
  EXPECT_TRUE(use(b, 0, 300));
  EXPECT_FALSE(use(a, 0, 750));
  EXPECT_EQ(memory_of(b), "xxx-----");
  EXPECT_EQ(residency->room()[1], 500u);
  EXPECT_TRUE(use(a, 0, 500));
  EXPECT_EQ(memory_of(b), "--------");
  EXPECT_EQ(memory_of(a), "xxxxx---");
}

TEST_F(ResidencyTest, NoAddressesAreToldApart) {
  VirtualBuffer& a = buffer('a');
  small.fails = true;
  EXPECT_FALSE(use(a, 0, 1));
  EXPECT_EQ(fault.get(), devices::Fault::none);
}

TEST_F(ResidencyTest, PlansAreReadyUntilSomethingIsEvicted) {
  VirtualBuffer &a = buffer('a'), &b = buffer('b');
  LaunchPlan plan;
  plan.parts.push_back({1, {}, {}, {}});
  BufferUse& of_a = plan.parts[0].use_of(&a, a.view());
  of_a.reads.push_back(byte_range(0, 150));
  of_a.writes.push_back(byte_range(600, 650));
  EXPECT_FALSE(residency->is_ready(plan));
  EXPECT_TRUE(residency->make_room(plan).is_empty());
  EXPECT_EQ(memory_of(a), "xx----x-");
  EXPECT_TRUE(residency->is_ready(plan));
  EXPECT_TRUE(use(b, 0, 700));
  EXPECT_TRUE(residency->is_ready(plan));
  EXPECT_TRUE(use(b, 700, 750));  // used before the plan was: b's own are not evicted for it
  EXPECT_FALSE(residency->is_ready(plan));
  EXPECT_TRUE(residency->make_room(plan).is_empty());
  EXPECT_TRUE(residency->is_ready(plan));
}

/// Rows of a matrix that are further apart than a unit, and closer.
TEST_F(ResidencyTest, UnitsBetweenRowsAreLeftOut) {
  VirtualBuffer& a = buffer('a');
  Demand demand;
  residency->prepare(a, 1, demand);
  const std::int64_t wide[] = {250}, narrow[] = {120};
  const Box columns{2, {{{0, 3}, {10, 20}}}};
  demand.add(a, 1, regions::array_view(size, {0, 1, wide}), {&columns, 1});
  demand.tidy();
  std::vector<std::pair<std::size_t, std::size_t>> units;
  for (const Demand::Stretch& one : demand.stretches) units.emplace_back(one.first, one.end);
  EXPECT_THAT(units,
              testing::ElementsAre(testing::Pair(0, 1), testing::Pair(2, 3), testing::Pair(5, 6)));
  EXPECT_EQ(demand.bytes(1), 300u);
  demand.add(a, 1, regions::array_view(size, {0, 1, narrow}), {&columns, 1});
  demand.tidy();
  EXPECT_EQ(demand.bytes(1), 400u);
}

// The same behind launches, on devices of this machine that have few pages.

constexpr std::int32_t n = 20000;
constexpr abi::Dim grid{160, 1, 1}, block{128, 1, 1};

void add_one(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i < argument<std::int32_t>(thread, 1)) ++argument<int*>(thread, 0)[i];
}
void blur(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  const auto count = argument<std::int32_t>(thread, 2);
  if (i >= count) return;
  const int* in = argument<const int*>(thread, 0);
  argument<int*>(thread, 1)[i] = in[std::max(i - 1, 0)] + in[std::min(i + 1, count - 1)];
}
void scatter(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i < argument<std::int32_t>(thread, 2))
    argument<int*>(thread, 1)[argument<const int*>(thread, 0)[i]] = i;
}

struct Limited : testing::TestWithParam<std::tuple<unsigned, std::uint64_t>> {
  Limited() {
    add_kernel
        .array(4, {set(SetKind::read, own_element, exact),
                   set(SetKind::must_write, own_element, exact)})
        .runs<add_one>();
    blur_kernel.array(4, {set(SetKind::read, with_neighbours, exact)})
        .array(4, {set(SetKind::must_write, own_element, exact)})
        .runs<blur>();
    scatter_kernel.array(4, {set(SetKind::read, own_element, exact)})
        .array(4, {set(SetKind::may_write, nullptr)})
        .runs<scatter>();
  }
  ModelledKernel add_kernel{"add", 1, 1}, blur_kernel{"blur", 2, 1},
      scatter_kernel{"scatter", 2, 1};
  BenchManner manner() const {
    return {.wrap = [](unsigned number, std::unique_ptr<devices::Device> device) {
      const std::uint64_t memory = std::get<1>(GetParam());
      return number == 0 ? std::move(device) : devices::make_limited(std::move(device), memory);
    }};
  }
  PlanBench bench{std::get<0>(GetParam()), manner()};
};
INSTANTIATE_TEST_SUITE_P(Memory, Limited,
                         testing::Combine(testing::Values(2, 3, 5),
                                          testing::Values(4 << 10, 12 << 10, 40 << 10, 100 << 10,
                                                          1 << 20)));

TEST_P(Limited, LaunchesSeeWhatEarlierOnesWrote) {
  int* const a = bench.allocate<int>(n);
  int* const b = bench.allocate<int>(n);
  std::vector<int> want(n);
  std::iota(want.begin(), want.end(), 7);
  bench.copy(a, want.data(), 4 * n);
  bench.finish();  // its source changes now
  for (int turn = 0; turn < 8; ++turn) {
    bench.launch(blur_kernel.command(grid, block, {a, b}, {n}));
    if (turn % 4 == 3) bench.fill(b + 100, 0, 4 * 9000);
    bench.launch(add_kernel.command(grid, block, {b}, {n}));
    bench.copy(a, b, 4 * n);
    std::vector<int> next(n);
    for (int i = 0; i < n; ++i) {
      next[std::size_t(i)] =
          want[std::size_t(std::max(i - 1, 0))] + want[std::size_t(std::min(i + 1, n - 1))];
    }
    if (turn % 4 == 3) std::fill_n(next.begin() + 100, 9000, 0);
    for (int& value : next) ++value;
    want = next;
    ASSERT_EQ(bench.read(turn % 2 ? a : b, n), want) << turn;
  }
  const auto& traffic = bench.many.traffic();
  const auto [devices, memory] = GetParam();
  const bool is_tight = memory * devices < 2 * 4 * n;
  EXPECT_EQ(traffic.evicted.copies.get() + traffic.in_rounds.get() != 0, is_tight);
}

TEST_P(Limited, ScatteredWritesAreMerged) {
  std::vector<int> to(n), want(n);
  for (int i = 0; i < n; ++i) to[std::size_t(i)] = int(std::int64_t{i} * 1009 % n);
  for (int i = 0; i < n; ++i) want[std::size_t(to[std::size_t(i)])] = i;
  int* const where = bench.allocate<int>(n);
  int* const out = bench.allocate<int>(n);
  bench.copy(where, to.data(), 4 * n);
  bench.fill(out, 0x5a, 4 * n);
  bench.launch(scatter_kernel.command(grid, block, {where, out}, {n}));
  EXPECT_EQ(bench.read(out, n), want);
}

/// Launches over many buffers in turn are done again from notes as long as nothing is evicted.
TEST_P(Limited, BuffersTakeTurns) {
  constexpr int count = 6;
  std::vector<int*> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(bench.allocate<int>(n));
    bench.fill(all.back(), 0, 4 * n);
  }
  for (int turn = 0; turn < 5; ++turn) {
    for (int* one : all) bench.launch(add_kernel.command(grid, block, {one}, {n}));
    if (turn != 2) continue;
    bench.release(all.back());
    all.pop_back();
  }
  for (int* one : all) EXPECT_EQ(bench.read(one, n), std::vector<int>(n, 5));
}

}  // namespace

}  // namespace gridspan::tests::plan_residency
