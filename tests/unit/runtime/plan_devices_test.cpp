// Launches, copies and fills on several devices of this machine, command by command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"

#include <atomic>
#include <numeric>
#include <tuple>

namespace gridspan::tests::plan_devices {

using namespace gridspan::runtime;

namespace {

constexpr std::int32_t n = 4099;
constexpr abi::Dim grid{33, 1, 1}, block{128, 1, 1};

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
/// The last block, and with it the last device, writes where no argument of the model points to.
void write_far(abi::ThreadContext* thread) {
  if (global_x(thread) + 1 == std::uint64_t{grid.x} * block.x) ++**argument<int**>(thread, 0);
}

class SeveralDevices : public testing::TestWithParam<std::tuple<unsigned, Overlap>> {
 protected:
  SeveralDevices() {
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
  const unsigned count = std::get<0>(GetParam());
  PlanBench bench{count, {.policy = {.weighs_work = false, .overlap = std::get<1>(GetParam())}}};
};
INSTANTIATE_TEST_SUITE_P(Count, SeveralDevices,
                         testing::Combine(testing::Values(1, 2, 3, 5, 33, 40),
                                          testing::Values(Overlap::never, Overlap::always)));

std::vector<int> numbers(int first) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<int> blurred(const std::vector<int>& in) {
  std::vector<int> out(n);
  for (int i = 0; i < n; ++i) {
    out[std::size_t(i)] =
        in[std::size_t(std::max(i - 1, 0))] + in[std::size_t(std::min(i + 1, n - 1))];
  }
  return out;
}

TEST_P(SeveralDevices, LaunchesSeeWhatEarlierOnesWrote) {
  int* const a = bench.allocate<int>(n);
  int* const b = bench.allocate<int>(n);
  std::vector<int> want = numbers(7);
  bench.copy(a, want.data(), 4 * n);
  bench.finish();                          // its source changes now
  for (int turn = 0; turn < 12; ++turn) {  // numbers double at most twice a turn
    bench.launch(blur_kernel.command(grid, block, {a, b}, {n}));
    if (turn % 4 == 3) bench.fill(b + 100, 0, 4 * 2000);
    bench.launch(add_kernel.command(grid, block, {b}, {n}));
    if (turn % 4 == 2) bench.copy(a, b, 4 * n);
    want = blurred(want);
    if (turn % 4 == 3) std::fill_n(want.begin() + 100, 2000, 0);
    for (int& value : want) ++value;
    if (turn % 4 != 2) bench.copy(a + n / 2, b + n / 2, 4 * (n - n / 2));
    if (turn % 4 != 2) bench.copy(a, b, 4 * (n / 2));
    EXPECT_EQ(bench.read(turn % 2 ? a : b, n), want);
  }
}

TEST_P(SeveralDevices, ScatteredWritesAreMerged) {
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

TEST_P(SeveralDevices, HalosAreAllThatMoves) {
  int* const a = bench.allocate<int>(n);
  int* const b = bench.allocate<int>(n);
  bench.launch(add_kernel.command(grid, block, {a}, {n}));
  bench.launch(add_kernel.command(grid, block, {b}, {n}));
  const std::uint64_t before = bench.many.traffic().between.bytes.get();
  constexpr int turns = 10;
  for (int turn = 0; turn < turns; ++turn) {
    bench.launch(blur_kernel.command(grid, block, {a, b}, {n}));
    bench.launch(blur_kernel.command(grid, block, {b, a}, {n}));
  }
  bench.finish();
  const std::uint64_t borders = std::min<std::uint64_t>(count, grid.x) - 1;
  // Each border is crossed once in each direction by one element, at each launch.
  EXPECT_EQ(bench.many.traffic().between.bytes.get() - before, borders * 2 * 4 * 2 * turns);
  // Parts of three blocks have an interior; it runs first when a launch is done again.
  const bool has_interiors = std::get<1>(GetParam()) == Overlap::always && count > 1 && count <= 5;
  const std::uint64_t early = bench.many.traffic().early.get();
  EXPECT_EQ(early % count, 0u);
  EXPECT_GE(early, has_interiors ? (2 * turns - 6) * count : 0);
  EXPECT_LE(early, has_interiors ? 2 * turns * count : 0);
}

TEST_P(SeveralDevices, NothingMovesWithoutNeed) {
  int* const a = bench.allocate<int>(n);
  for (int turn = 0; turn < 10; ++turn) bench.launch(add_kernel.command(grid, block, {a}, {n}));
  bench.finish();
  EXPECT_EQ(bench.many.traffic().between.bytes.get(), 0u);
}

TEST_P(SeveralDevices, MemoryComesAndGoes) {
  for (int turn = 0; turn < 30; ++turn) {
    int* const a = bench.allocate<int>(n);
    bench.fill(a, 0, 4 * n);
    bench.launch(add_kernel.command(grid, block, {a}, {n}));
    bench.launch(add_kernel.command(grid, block, {a}, {n}));
    EXPECT_EQ(bench.read(a, n), std::vector<int>(n, 2));
    bench.release(a);
  }
}

std::atomic<bool> gate_is_open{false};
void wait_at_gate(abi::ThreadContext*) { gate_is_open.wait(false); }

/// More than the sequences that are remembered lie between what is asked for and what still runs.
TEST(Finished, StaysSoWhileLaterWorkRuns) {
  PlanBench bench(2);
  ModelledKernel kernel("gate", 1, 1);
  kernel
      .array(4,
             {set(SetKind::read, own_element, exact), set(SetKind::must_write, own_element, exact)})
      .runs<wait_at_gate>();
  int* const a = bench.allocate<int>(n);
  bench.fill(a, 0, 4 * n);
  bench.finish();
  const Sequence early = bench.sequence();
  bench.launch(kernel.command(grid, {1, 1, 1}, {a}, {n}));
  for (Sequence later = early + 2; later < 3 * 4096; ++later) bench.many.passed(later);
  EXPECT_TRUE(bench.many.is_finished(0));  // an event that was never recorded
  EXPECT_TRUE(bench.many.is_finished(early));
  bench.many.finish(early);  // does not wait for the gate
  EXPECT_FALSE(bench.many.is_finished(early + 1));
  gate_is_open = true;
  gate_is_open.notify_all();
  bench.many.finish(3 * 4096 - 1);
  EXPECT_TRUE(bench.many.is_finished(early + 1));
}

/// Parts run one at a time, and other devices' memory is out of reach.
TEST(Isolation, PartsThatKeepToThemselvesRun) {
  PlanBench bench(3, {.isolated = true});
  ModelledKernel kernel("add", 1, 1);
  kernel
      .array(4,
             {set(SetKind::read, own_element, exact), set(SetKind::must_write, own_element, exact)})
      .runs<add_one>();
  int* const a = bench.allocate<int>(n);
  bench.fill(a, 0, 4 * n);
  for (int turn = 0; turn < 5; ++turn) bench.launch(kernel.command(grid, block, {a}, {n}));
  EXPECT_EQ(bench.read(a, n), std::vector<int>(n, 5));
  EXPECT_EQ(bench.many.fault(), devices::Fault::none);
}

TEST(Isolation, TouchingAnotherDevicesMemoryIsAFault) {
  for (const bool isolated : {false, true}) {
    PlanBench bench(3, {.isolated = isolated});
    ModelledKernel kernel("far", 1, 1);
    // The model says that the kernel only reads its pointer: what it does through that is hidden.
    kernel.array(8, {set(SetKind::read, first_element, exact)}).runs<write_far>();
    int* const target = bench.allocate<int>(16);
    int** const pointer = bench.allocate<int*>(1);
    bench.fill(target, 0, 64);
    bench.copy(pointer, &target, 8);
    bench.launch(kernel.command(grid, block, {pointer}, {n}));
    bench.finish();
    EXPECT_EQ(bench.many.fault(),
              isolated ? devices::Fault::illegal_address : devices::Fault::none);
  }
}

}  // namespace

}  // namespace gridspan::tests::plan_devices
