// Blocks that need not wait for their launch's copies: which they are, and that they do not wait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"
#include "plan_split_fixture.h"
#include "runtime/plan/stages.h"

#include <mutex>
#include <numeric>

namespace gridspan::tests::planning {

using regions::Box;
using regions::byte_range;
using Blocks = std::pair<std::uint32_t, std::uint32_t>;  // first and count, along x

namespace {

constexpr std::int64_t width = 32;  // of the arrays with rows

void rows_of_width(const std::int64_t*, std::int64_t* inner) { inner[0] = width; }
/// Thread (x, y) works on element (y, x) and, with a reach, its neighbours.
template <std::int64_t reach>
void square(const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
  const auto low = [&](int axis) {
    return std::max<std::int64_t>(part[axis] * values[3 + axis] - reach, 0);
  };
  const auto high = [&](int axis) {
    return std::min((part[3 + axis] + 1) * values[3 + axis] - 1 + reach, width - 1);
  };
  const std::int64_t box[] = {low(1), high(1), 1, low(0), high(0), 1};
  sink->take(sink, box);
}

class StagesTest : public PlanTest {
 protected:
  StagesTest() {
    blur.array(4, {set(SetKind::read, with_neighbours, exact)})
        .array(4, {set(SetKind::must_write, own_element, exact)});
    in_place.array(4, {set(SetKind::read, with_neighbours, exact),
                       set(SetKind::must_write, own_element, exact)});
  }
  CopyStep copied(const void* memory, unsigned from, unsigned to, std::vector<Box> boxes) {
    VirtualBuffer* buffer = buffers.find(reinterpret_cast<std::uintptr_t>(memory));
    return {buffer, from, to, std::move(boxes), nullptr, 0, Cause::read};
  }
  /// Of blocks 4 to 7, on device 1.
  std::optional<Blocks> inner(const KernelCommand& command, const std::vector<CopyStep>& copies) {
    const auto found = interior(BoundLaunch(command, buffers), {{4, 0, 0}, {4, 1, 1}}, 1, copies);
    if (!found) return std::nullopt;
    return Blocks{found->first.x, found->count.x};
  }
  Stages cut(const KernelCommand& command, const std::vector<CopyStep>& copies,
             Overlap policy = Overlap::always) {
    return stages(best(command), BoundLaunch(command, buffers), copies, machine, policy);
  }

  Machine machine{std::vector<std::uint32_t>(3, 1)};
  ModelledKernel blur{"blur", 2, 1}, in_place{"in_place", 1, 1};
  const void* const a = allocate(4 * n);
  const void* const b = allocate(4 * n);
  const KernelCommand blurs = blur.command(grid, block, {a, b}, {n});
  const KernelCommand changes = in_place.command(grid, block, {a}, {n});
  /// Element 127 and 256: next to those of blocks 4 to 7.
  const std::vector<Box> halos{byte_range(508, 512), byte_range(1024, 1028)};
};

TEST_F(StagesTest, BlocksThatReadWhatComesInWait) {
  EXPECT_EQ(inner(blurs, {copied(a, 0, 1, {halos[0]}), copied(a, 2, 1, {halos[1]})}), Blocks(5, 2));
  EXPECT_EQ(inner(blurs, {copied(a, 2, 1, {halos[1]})}), Blocks(4, 3));
}

TEST_F(StagesTest, BlocksThatWriteWhereSomethingComesInWait) {
  EXPECT_EQ(inner(blurs, {copied(b, 0, 1, {byte_range(4 * 32 * 7, 4 * 32 * 7 + 1)})}),
            Blocks(4, 3));
}

TEST_F(StagesTest, OnlyWritersMindWhatGoesOut) {
  const CopyStep out = copied(a, 1, 0, {byte_range(512, 516)});  // element 128, of block 4
  EXPECT_EQ(inner(blurs, {out}), Blocks(4, 4));
  EXPECT_EQ(inner(changes, {out}), Blocks(5, 3));
}

TEST_F(StagesTest, CopiesBetweenOthersDoNotMatter) {
  EXPECT_EQ(inner(blurs, {copied(a, 0, 2, halos)}), Blocks(4, 4));
}

TEST_F(StagesTest, WhatEveryBlockReadsLeavesNoInterior) {
  ModelledKernel kernel("all", 1, 1);
  kernel.array(4, {set(SetKind::read, first_element, exact)});
  EXPECT_EQ(inner(kernel.command(grid, block, {a}, {n}), {copied(a, 0, 1, {byte_range(0, 4)})}),
            std::nullopt);
  ModelledKernel unbounded("unbounded", 1, 1);
  unbounded.array(4, {set(SetKind::read, nullptr)});
  EXPECT_EQ(inner(unbounded.command(grid, block, {a}, {n}), {copied(a, 0, 1, {halos[0]})}),
            std::nullopt);
}

TEST_F(StagesTest, InteriorsOfSquaresAreCutAlongBothAxes) {
  ModelledKernel kernel("square", 1, 0);
  kernel.array(4,
               {set(SetKind::read, square<1>, exact), set(SetKind::must_write, square<0>, exact)},
               rows_of_width, 2);
  const void* const rows = allocate(4 * width * width);
  const KernelCommand command = kernel.command({8, 8, 1}, {4, 4, 1}, {rows});
  const BoundLaunch launch(command, buffers);
  VirtualBuffer* const buffer = buffers.find(reinterpret_cast<std::uintptr_t>(rows));
  ASSERT_TRUE(buffer->reshape(launch_view(launch, *buffer)));
  // Blocks (0..3, 0..3) work on rows and columns 0..15: row 16 and column 16 come in.
  const Box row{2, {{{16, 17}, {0, 64}}}}, column{2, {{{0, 16}, {64, 68}}}};
  const CopyStep copies[] = {copied(rows, 2, 0, {row}), copied(rows, 1, 0, {column})};
  const auto found = interior(launch, {{0, 0, 0}, {4, 4, 1}}, 0, copies);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first.x + found->first.y, 0u);
  EXPECT_EQ(found->count.x, 3u);
  EXPECT_EQ(found->count.y, 3u);
}

TEST_F(StagesTest, PiecesAreTheParts) {
  const Stages pieces = cut(blurs, {copied(a, 0, 1, {halos[0]}), copied(a, 2, 1, {halos[1]})});
  ASSERT_EQ(pieces.early.size(), 1u);
  EXPECT_EQ(pieces.early[0].device, 1u);
  ASSERT_EQ(pieces.early[0].blocks.size(), 1u);
  EXPECT_EQ(pieces.early[0].blocks[0].first.x, 5u);
  std::vector<int> covered(grid.x);
  for (const auto* stage : {&pieces.early, &pieces.late}) {
    for (const Piece& piece : *stage) {
      std::uint32_t elements = 0;
      for (const BlockBox& blocks : piece.blocks) {
        EXPECT_EQ(piece.device, blocks.first.x / 4);  // as without pieces
        for (std::uint32_t i = 0; i < blocks.count.x; ++i) ++covered[blocks.first.x + i];
        const std::uint32_t end = (blocks.first.x + blocks.count.x) * block.x;
        elements += std::min<std::uint32_t>(end, n) - blocks.first.x * block.x;
      }
      std::int64_t changed = 0;
      ASSERT_EQ(piece.changes.size(), 1u);
      for (const Box& box : piece.changes[0].boxes) changed += box.volume();
      EXPECT_EQ(changed, 4 * std::int64_t{elements});
    }
  }
  EXPECT_EQ(covered, std::vector<int>(grid.x, 1));
}

TEST_F(StagesTest, KernelsWhoseBlocksMayWaitForEachOtherStayWhole) {
  const std::vector<CopyStep> copies{copied(a, 0, 1, {halos[0]})};
  EXPECT_FALSE(cut(blurs, copies).early.empty());
  for (const auto obstacle : {abi::obstacle_fence, abi::obstacle_volatile,
                              abi::obstacle_atomic_result, abi::obstacle_printf}) {
    blur.model().obstacles = obstacle;
    EXPECT_TRUE(cut(blurs, copies).early.empty()) << obstacle;
    EXPECT_TRUE(cut(blurs, copies).late.empty()) << obstacle;
  }
}

TEST_F(StagesTest, SmallPartsAreNotWorthCutting) {
  const std::vector<CopyStep> copies{copied(a, 0, 1, {halos[0]})};
  EXPECT_TRUE(cut(blurs, copies, Overlap::where_it_pays).early.empty());
  EXPECT_TRUE(cut(blurs, copies, Overlap::never).early.empty());
  const std::int32_t many = 1 << 20;
  const void* const large = allocate(4 * many);
  const KernelCommand command = in_place.command({many / 256, 1, 1}, {256, 1, 1}, {large}, {many});
  const Stages pieces =
      cut(command, {copied(large, 0, 1, {byte_range(1398100, 1398104)})}, Overlap::where_it_pays);
  EXPECT_EQ(pieces.early.size(), 1u);
  // Not where it takes a few microseconds.
  machine = Machine({.memory = {4e12, 4e12, 4e12}, .links = {3, std::vector<devices::Link>(3)}});
  EXPECT_TRUE(
      cut(command, {copied(large, 0, 1, {byte_range(1398100, 1398104)})}, Overlap::where_it_pays)
          .early.empty());
}

constexpr std::int32_t length = 4099;
constexpr abi::Dim line{33, 1, 1};

void blur_line(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i >= length) return;
  const int* in = argument<const int*>(thread, 0);
  argument<int*>(thread, 1)[i] = in[std::max(i - 1, 0)] + in[std::min(i + 1, length - 1)];
}
std::vector<int> blurred(const std::vector<int>& in) {
  std::vector<int> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = in[i == 0 ? 0 : i - 1] + in[std::min(i + 1, in.size() - 1)];
  }
  return out;
}

/// Notes the blocks it is told to run, and stops before them while it is told to.
struct Watched final : DeviceInFront {
  using DeviceInFront::DeviceInFront;
  devices::RunResult run_part(const abi::Kernel& kernel,
                              const abi::LaunchContext& launch) override {
    while (held) std::this_thread::yield();
    auto result = DeviceInFront::run_part(kernel, launch);
    const std::scoped_lock lock(mutex);
    ran.emplace_back(launch.first_block.x, launch.block_count.x);
    return result;
  }
  std::vector<Blocks> seen() {
    const std::scoped_lock lock(mutex);
    return ran;
  }
  std::atomic<bool> held{false};
  std::mutex mutex;
  std::vector<Blocks> ran;
};

TEST(Stages, InteriorsDoNotWaitForALateNeighbour) {
  Watched* watched[2] = {};
  BenchManner manner{.policy = {.weighs_work = false, .overlap = Overlap::always}};
  manner.wrap = [&](unsigned number, std::unique_ptr<devices::Device> device) {
    auto front = std::make_unique<Watched>(std::move(device));
    watched[number] = front.get();
    return front;
  };
  PlanBench bench(2, manner);
  ModelledKernel kernel("blur", 2, 1);
  kernel.array(4, {set(SetKind::read, with_neighbours, exact)})
      .array(4, {set(SetKind::must_write, own_element, exact)})
      .runs<blur_line>();
  int* arrays[] = {bench.allocate<int>(length), bench.allocate<int>(length)};
  std::vector<int> want(length);
  std::iota(want.begin(), want.end(), 3);
  bench.copy(arrays[0], want.data(), 4 * length);
  bench.finish();  // its source changes now
  int turn = 0;
  const auto launch = [&] {
    int* const from = arrays[turn % 2];
    int* const to = arrays[++turn % 2];
    bench.launch(kernel.command(line, {128, 1, 1}, {from, to}, {length}));
    want = blurred(want);
  };
  for (int i = 0; i < 8; ++i) launch();  // until nothing about them is new
  bench.finish();

  watched[0]->ran.clear();
  watched[1]->held = true;
  launch();
  launch();
  // Device 0 has blocks 0..16 or 0..15, of which the last needs what device 1 has yet to compute.
  while (watched[0]->seen().size() < 3) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const std::vector<Blocks> ran = watched[0]->seen();
  const std::uint32_t inner = ran[0].second;
  EXPECT_GE(inner, 15u);
  EXPECT_EQ(ran, (std::vector<Blocks>{{0, inner}, {inner, 1}, {0, inner}}));
  watched[1]->held = false;
  EXPECT_EQ(bench.read(arrays[turn % 2], length), want);
}

}  // namespace

}  // namespace gridspan::tests::planning
