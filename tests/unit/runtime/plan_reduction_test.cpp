// Atomic updates on several devices of this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"

#include <atomic>
#include <numeric>

namespace gridspan::tests::plan_reduction {

using namespace gridspan::runtime;
using abi::ReductionOp;

namespace {

constexpr std::int32_t n = 4099, bins = 64;
constexpr abi::Dim grid{33, 1, 1}, block{128, 1, 1};

template <class T, class Change>
void update(T* element, Change change) {
  std::atomic_ref<T> there(*element);
  for (T old = there.load(); !there.compare_exchange_weak(old, change(old));) {
  }
}

void histogram(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i >= argument<std::int32_t>(thread, 2)) return;
  int* const counts = argument<int*>(thread, 1);
  update(&counts[argument<const int*>(thread, 0)[i]], [](int old) { return old + 1; });
}
/// Element i adds to both neighbours and itself.
void spread(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  const auto count = argument<std::int32_t>(thread, 2);
  if (i >= count) return;
  const int value = argument<const int*>(thread, 0)[i];
  for (int at = std::max(i - 1, 0); at <= std::min(i + 1, count - 1); ++at)
    update(&argument<int*>(thread, 1)[at], [=](int old) { return old + value; });
}
void least(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i >= argument<std::int32_t>(thread, 2)) return;
  const float value = argument<const float*>(thread, 0)[i];
  update(argument<float*>(thread, 1), [=](float old) { return std::min(old, value); });
}
void add_one(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i < argument<std::int32_t>(thread, 1)) ++argument<int*>(thread, 0)[i];
}

abi::ModelSet updates(abi::FootprintFunction footprint, ReductionOp op) {
  abi::ModelSet made = set(SetKind::reduction, footprint, 0, op);
  made.update_bytes = 4;
  return made;
}

class ReductionsRun : public testing::TestWithParam<unsigned> {
 protected:
  ReductionsRun() {
    const abi::ModelSet own = set(SetKind::read, own_element, exact);
    histogram_kernel.array(4, {own})
        .array(4, {updates(nullptr, ReductionOp::add)})
        .runs<histogram>();
    spread_kernel.array(4, {own})
        .array(4, {updates(with_neighbours, ReductionOp::add)})
        .runs<spread>();
    least_kernel.array(4, {own})
        .array(4, {updates(first_element, ReductionOp::float_min)})
        .runs<least>();
    add_kernel.array(4, {own, set(SetKind::must_write, own_element, exact)}).runs<add_one>();
  }
  std::uint64_t launches(Rung rung) {
    return bench.many.traffic().launches[static_cast<std::size_t>(rung)].get();
  }

  ModelledKernel histogram_kernel{"histogram", 2, 1}, spread_kernel{"spread", 2, 1},
      least_kernel{"least", 2, 1}, add_kernel{"add", 1, 1};
  PlanBench bench{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Count, ReductionsRun, testing::Values(1, 2, 3, 4, 7, 33, 40));

TEST_P(ReductionsRun, HistogramsAddUpLaunchAfterLaunch) {
  std::vector<int> in(n), want(bins, 5);
  for (int i = 0; i < n; ++i) in[std::size_t(i)] = int(std::int64_t{i} * i % bins);
  int* const values = bench.allocate<int>(n);
  int* const counts = bench.allocate<int>(bins);
  bench.copy(values, in.data(), 4 * n);
  bench.copy(counts, want.data(), 4 * bins);
  bench.finish();
  for (int turn = 0; turn < 6; ++turn) {
    bench.launch(histogram_kernel.command(grid, block, {values, counts}, {n}));
    for (const int value : in) ++want[std::size_t(value)];
    if (turn % 3 == 1) {  // who holds the counts changes
      bench.launch(add_kernel.command({2, 1, 1}, {32, 1, 1}, {counts}, {bins}));
      for (int& count : want) ++count;
    }
    if (turn % 2 == 1) EXPECT_EQ(bench.read(counts, bins), want);
  }
  if (GetParam() > 1) EXPECT_EQ(launches(Rung::reduction), 6u);
  // Each device but one gives its private copy.
  const std::uint64_t others = std::min<std::uint64_t>(GetParam(), grid.x) - 1;
  EXPECT_EQ(bench.many.traffic().combined.bytes.get(), 6 * others * 4 * bins);
}

TEST_P(ReductionsRun, OnlySharedElementsAreCombined) {
  std::vector<int> in(n), want(n, 9);
  std::iota(in.begin(), in.end(), 1);
  int* const from = bench.allocate<int>(n);
  int* const to = bench.allocate<int>(n);
  bench.copy(from, in.data(), 4 * n);
  bench.copy(to, want.data(), 4 * n);
  bench.finish();
  for (int turn = 0; turn < 4; ++turn) {
    bench.launch(spread_kernel.command(grid, block, {from, to}, {n}));
    for (int i = 0; i < n; ++i)
      for (int at = std::max(i - 1, 0); at <= std::min(i + 1, n - 1); ++at)
        want[std::size_t(at)] += in[std::size_t(i)];
  }
  EXPECT_EQ(bench.read(to, n), want);
  const std::uint64_t borders = std::min<std::uint64_t>(GetParam(), grid.x) - 1;
  EXPECT_EQ(bench.many.traffic().combined.bytes.get(), 4 * borders * 2 * 4);
}

TEST_P(ReductionsRun, UntouchedNumbersStayAsTheyAre) {
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i) in[std::size_t(i)] = static_cast<float>(i * 37 % n) - 2000.5f;
  float* const values = bench.allocate<float>(n);
  float* const out = bench.allocate<float>(2);
  const float start[] = {-1.5f, 3.0f};
  bench.copy(values, in.data(), 4 * n);
  bench.copy(out, start, 8);
  bench.finish();
  bench.launch(least_kernel.command(grid, block, {values, out}, {n}));
  EXPECT_EQ(bench.read(out, 2), (std::vector<float>{-2000.5f, 3.0f}));
}

TEST_P(ReductionsRun, ReadersOfOtherLaunchesWaitAndAreWaitedFor) {
  int* const counts = bench.allocate<int>(n);
  int* const places = bench.allocate<int>(n);
  int* const seen = bench.allocate<int>(n);
  std::vector<int> where(n), want(n);
  std::iota(where.begin(), where.end(), 0);
  bench.copy(places, where.data(), 4 * n);
  bench.fill(counts, 0, 4 * n);
  bench.finish();
  for (int turn = 0; turn < 5; ++turn) {
    // Each device reads counts of others before and after, while these go on.
    bench.launch(histogram_kernel.command(grid, block, {places, counts}, {n}));
    bench.launch(add_kernel.command(grid, block, {counts}, {n}));
    bench.copy(seen, counts, 4 * n);
    for (int& count : want) count += 2;
    EXPECT_EQ(bench.read(seen, n), want);
  }
  EXPECT_EQ(bench.read(counts, n), want);
}

TEST(ReductionCost, SmallLaunchesStayTogether) {
  ModelledKernel kernel("least", 2, 1);
  kernel.array(4, {set(SetKind::read, own_element, exact)})
      .array(4, {updates(first_element, ReductionOp::float_min)})
      .runs<least>();
  PlanBench bench(3, {.policy = {}});
  const auto run = [&](std::int32_t count) {
    float* const values = bench.allocate<float>(std::size_t(count));
    float* const out = bench.allocate<float>(1);
    bench.fill(values, 0, 4 * std::size_t(count));
    bench.launch(kernel.command({std::uint32_t(count) / 128, 1, 1}, block, {values, out}, {count}));
    bench.finish();
    return bench.many.traffic().launches[static_cast<std::size_t>(Rung::reduction)].get();
  };
  EXPECT_EQ(run(1 << 10), 0u);
  EXPECT_EQ(run(1 << 20), 1u);
}

TEST(Isolation, PrivateCopiesAreMadeOnTheDevice) {
  PlanBench bench(3, {.isolated = true});
  ModelledKernel kernel("histogram", 2, 1);
  kernel.array(4, {set(SetKind::read, own_element, exact)})
      .array(4, {updates(nullptr, ReductionOp::add)})
      .runs<histogram>();
  int* const values = bench.allocate<int>(n);
  int* const counts = bench.allocate<int>(bins);
  bench.fill(values, 0, 4 * n);
  bench.fill(counts, 0, 4 * bins);
  bench.launch(kernel.command(grid, block, {values, counts}, {n}));
  std::vector<int> want(bins);
  want[0] = n;
  EXPECT_EQ(bench.read(counts, bins), want);
  EXPECT_EQ(bench.many.fault(), devices::Fault::none);
}

}  // namespace

}  // namespace gridspan::tests::plan_reduction
