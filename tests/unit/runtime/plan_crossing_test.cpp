// Cuts along two axes: when they are made, and what they move.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"
#include "plan_split_fixture.h"
#include "runtime/plan/cross_cut.h"

#include <numeric>

namespace gridspan::tests::planning {

using regions::Box;

namespace {

// Block (x, y) is one thread and makes a cell of a matrix, of 40 ints: a run that is worth a copy.
constexpr int cell = 40;
constexpr std::uint32_t cell_bytes = 4 * cell;

void rows_of_grid(const std::int64_t* values, std::int64_t* inner) { inner[0] = values[0]; }
void emit_box(abi::BoxSink* sink, std::int64_t y, std::int64_t last_y, std::int64_t x,
              std::int64_t last_x) {
  const std::int64_t box[] = {y, last_y, 1, x, last_x, 1};
  sink->take(sink, box);
}
void own_cells(const std::int64_t*, const std::int64_t* part, abi::BoxSink* sink) {
  emit_box(sink, part[1], part[4], part[0], part[3]);
}
/// Own cells and those beside them, without corners.
void star(const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
  const std::int64_t left = std::max<std::int64_t>(part[0] - 1, 0);
  const std::int64_t right = std::min(part[3] + 1, values[0] - 1);
  const std::int64_t below = std::max<std::int64_t>(part[1] - 1, 0);
  const std::int64_t above = std::min(part[4] + 1, values[1] - 1);
  emit_box(sink, part[1], part[4], left, right);
  if (below < part[1]) emit_box(sink, below, below, part[0], part[3]);
  if (above > part[4]) emit_box(sink, above, above, part[0], part[3]);
}
/// 4 x 4 blocks write one cell.
void cell_of_many(const std::int64_t*, const std::int64_t* part, abi::BoxSink* sink) {
  emit_box(sink, part[1] / 4, part[4] / 4, part[0] / 4, part[3] / 4);
}

struct Place {
  std::uint32_t x, y;
};
Place place_of(const abi::ThreadContext* thread) {
  return {thread->block->block_index.x, thread->block->block_index.y};
}
int* cell_at(int* cells, std::uint32_t width, std::uint32_t x, std::uint32_t y) {
  return cells + (std::size_t{y} * width + x) * cell;
}

/// Each number of the new cell is the sum of those beside it, less a factor that keeps it small.
void add_neighbours(int* in, int* out, const abi::Dim& grid, Place at) {
  const auto [x, y] = at;
  for (int i = 0; i < cell; ++i) {
    int sum = cell_at(in, grid.x, x, y)[i];
    if (x > 0) sum += cell_at(in, grid.x, x - 1, y)[i];
    if (x + 1 < grid.x) sum += cell_at(in, grid.x, x + 1, y)[i];
    if (y > 0) sum += cell_at(in, grid.x, x, y - 1)[i];
    if (y + 1 < grid.y) sum += cell_at(in, grid.x, x, y + 1)[i];
    cell_at(out, grid.x, x, y)[i] = sum & 0xfff;
  }
}
void stencil(abi::ThreadContext* thread) {
  add_neighbours(argument<int*>(thread, 0), argument<int*>(thread, 1), thread->block->launch->grid,
                 place_of(thread));
}
void count_up(abi::ThreadContext* thread) {
  const auto [x, y] = place_of(thread);
  ++*cell_at(argument<int*>(thread, 0), thread->block->launch->grid.x, x, y);
}

class Crossings : public PlanTest {
 protected:
  std::optional<LaunchPlan> crossing(abi::Dim grid, unsigned devices,
                                     abi::FootprintFunction writes = own_cells,
                                     std::uint32_t element = cell_bytes) {
    ModelledKernel kernel("stencil", 2, 0);
    kernel.array(element, {set(SetKind::read, star, exact)}, rows_of_grid, 2)
        .array(element, {set(SetKind::must_write, writes, exact)}, rows_of_grid, 2);
    const void *in = allocate(1 << 20), *out = allocate(1 << 20);
    const KernelCommand command = kernel.command(grid, {1, 1, 1}, {in, out});
    const auto single = ways(command, devices);
    return cross_cut(BoundLaunch(command, buffers), grid,
                     Machine(std::vector<std::uint32_t>(devices, 1)), single);
  }
};

TEST_F(Crossings, SquaresAreCutIntoSquares) {
  const auto four = crossing({16, 16, 1}, 4);
  ASSERT_TRUE(four);
  EXPECT_EQ(four->rung, Rung::exact);
  ASSERT_EQ(four->parts.size(), 4u);
  for (std::uint32_t part = 0; part < 4; ++part) {
    EXPECT_EQ(four->parts[part].device, part);
    EXPECT_EQ(four->parts[part].block_count.x, 8u);
    EXPECT_EQ(four->parts[part].block_count.y, 8u);
  }
  const auto six = crossing({18, 18, 1}, 6);
  ASSERT_TRUE(six);
  ASSERT_EQ(six->parts.size(), 6u);
  for (const PartPlan& part : six->parts) {
    EXPECT_EQ(part.block_count.x * part.block_count.y, 9u * 6);
  }
}

TEST_F(Crossings, DevicesThatMakeNoRectangleAreCutInto) {
  const auto seven = crossing({28, 28, 1}, 7);
  ASSERT_TRUE(seven);
  ASSERT_EQ(seven->parts.size(), 7u);
  EXPECT_EQ(crossing({18, 18, 1}, 3)->parts.size(), 3u);
  std::uint32_t blocks = 0;
  for (const PartPlan& part : seven->parts) {
    const std::uint32_t own = part.block_count.x * part.block_count.y;
    EXPECT_NEAR(own, 28.0 * 28 / 7, 28);
    blocks += own;
  }
  EXPECT_EQ(blocks, 28u * 28);
}

TEST_F(Crossings, AreNotMadeWhereSlabsMoveLess) {
  EXPECT_FALSE(crossing({16, 16, 1}, 2));
  EXPECT_FALSE(crossing({16, 160, 1}, 4));
  EXPECT_FALSE(crossing({160, 16, 1}, 4));
  EXPECT_FALSE(crossing({64, 64, 1}, 4, own_cells, 4));  // columns of single floats are many runs
}

/// 20 blocks for 5 devices are cut at multiples of 4, those of a group of 2 at 10.
TEST_F(Crossings, AreCheckedAgainForConflicts) {
  EXPECT_TRUE(crossing({20, 20, 1}, 5));
  EXPECT_FALSE(crossing({20, 20, 1}, 5, cell_of_many));
}

TEST_F(Crossings, NeedTwoAxes) {
  EXPECT_FALSE(crossing({1, 64, 1}, 4));
  EXPECT_FALSE(crossing({64, 1, 1}, 4));
}

/// A stencil back and forth between two matrices of side x side cells.
class Steps {
 public:
  Steps(unsigned devices, std::uint32_t width, std::uint32_t height, const Policy& policy)
      : grid_{width, height, 1}, bench(devices, {.policy = policy}) {
    steps_.array(cell_bytes, {set(SetKind::read, star, exact)}, rows_of_grid, 2)
        .array(cell_bytes, {set(SetKind::must_write, own_cells, exact)}, rows_of_grid, 2)
        .runs<stencil>();
    in_slabs_
        .array(cell_bytes,
               {set(SetKind::read, own_cells, exact), set(SetKind::must_write, own_cells, exact)},
               rows_of_grid, 2)
        .runs<count_up>();
    for (int*& memory : memory_) memory = bench.allocate<int>(size());
    want_.resize(size());
    std::iota(want_.begin(), want_.end(), 1);
    bench.copy(memory_[0], want_.data(), 4 * size());
    bench.fill(memory_[1], 0x5a, 4 * size());
    bench.finish();
  }
  Steps(const Steps&) = delete;
  ~Steps() { bench.finish(); }  // the kernels go

  void step() {
    bench.launch(steps_.command(grid_, {1, 1, 1}, {memory_[0], memory_[1]}));
    std::swap(memory_[0], memory_[1]);
    std::vector<int> next(size());
    for (std::uint32_t y = 0; y < grid_.y; ++y) {
      for (std::uint32_t x = 0; x < grid_.x; ++x) {
        add_neighbours(want_.data(), next.data(), grid_, {x, y});
      }
    }
    want_ = std::move(next);
  }
  /// Counts the first number of each cell up, row by row: as if the columns were a single one.
  void count() {
    bench.launch(in_slabs_.command({1, grid_.y, 1}, {1, 1, 1}, {memory_[0]}));
    for (std::uint32_t y = 0; y < grid_.y; ++y) ++want_[std::size_t{y} * cell];
  }
  /// Bytes that `count` steps move between devices.
  std::uint64_t moved(int count) {
    bench.finish();
    const std::uint64_t before = bench.many.traffic().between.bytes.get();
    for (int i = 0; i < count; ++i) step();
    return bench.many.traffic().between.bytes.get() - before;
  }
  std::uint64_t changes() const { return bench.many.traffic().changed_over.get(); }
  std::uint64_t moved_to_change() const {
    return bench.many.traffic().of(Cause::change_over).bytes.get();
  }
  void check() {
    EXPECT_EQ(bench.read(memory_[0], size()), want_);
    if (changes() == 0) EXPECT_EQ(moved_to_change(), 0u);
  }
  std::uint64_t bytes() const { return 4 * size(); }

 private:
  std::size_t size() const { return std::size_t{grid_.x} * grid_.y * cell; }

  abi::Dim grid_;
  ModelledKernel steps_{"stencil", 2, 0}, in_slabs_{"slabs", 1, 0};
  int* memory_[2];
  std::vector<int> want_;

 public:
  PlanBench bench;
};

// Small launches are split, and are looked at again, too.
constexpr Policy eager{.weighs_work = false, .plans_for_bytes = 0};

struct Cells {
  unsigned devices;
  std::uint32_t width, height;
  std::uint64_t cells;  // that cross cuts at a step, both ways
};
class Repeated : public testing::TestWithParam<Cells> {};
INSTANTIATE_TEST_SUITE_P(
    Sizes, Repeated,
    testing::Values(Cells{2, 18, 18, 2 * 18}, Cells{3, 18, 18, 2 * (18 + 12)},
                    Cells{4, 18, 18, 2 * (18 + 18)}, Cells{4, 17, 19, 2 * (17 + 19)},
                    Cells{6, 18, 18, 2 * (18 + 2 * 18)}, Cells{6, 17, 23, 2 * (2 * 17 + 23)},
                    Cells{9, 18, 18, 2 * (2 * 18 + 2 * 18)}, Cells{4, 12, 90, 2 * 3 * 12},
                    Cells{6, 12, 90, 2 * 5 * 12}));

TEST_P(Repeated, StepsMoveTheLeastInTheEnd) {
  const Cells& cells = GetParam();
  Steps steps(cells.devices, cells.width, cells.height, eager);
  const std::uint64_t first = steps.moved(200);
  steps.check();
  EXPECT_EQ(steps.moved(10), 10 * cells.cells * cell_bytes);
  steps.check();
  // To find it out moves not much more than the change itself, once for each matrix.
  EXPECT_LE(first, 200 * cells.cells * cell_bytes + 4 * steps.bytes());
  EXPECT_LE(steps.changes(), 2u);
  if (steps.changes() > 0) EXPECT_GT(steps.moved_to_change(), 0u);
}

TEST(ChangeOver, IsNotMadeForAFewSteps) {
  Steps steps(4, 18, 18, eager);
  const std::uint64_t moved = steps.moved(6);
  EXPECT_EQ(steps.changes(), 0u);
  // Slabs of the host's data are not quite those of the parts.
  EXPECT_LE(moved, std::uint64_t{(6 * 2 * 3 + 4) * 18 * cell_bytes});
}

/// What takes the data back into slabs each time makes changes rare, then rarer.
TEST(ChangeOver, IsGivenUpWhereItDoesNotLast) {
  Steps steps(4, 18, 18, eager);
  constexpr int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    steps.step();
    steps.step();
    steps.count();
  }
  steps.check();
  EXPECT_LE(steps.changes(), 12u);
}

TEST(ChangeOver, IsNotNeededWhereTwoAxesAreAlwaysCut) {
  Policy always = eager;
  always.two_axes = TwoAxes::always;
  Steps steps(4, 18, 18, always);
  steps.moved(2);
  steps.check();
  EXPECT_EQ(steps.moved(10), std::uint64_t{10 * 2 * (18 + 18) * cell_bytes});
  EXPECT_EQ(steps.changes(), 0u);
  Steps floats(3, 7, 5, always);
  floats.moved(5);
  floats.check();
}

TEST(ChangeOver, IsNoPartOfMekong) {
  Steps steps(4, 18, 18,
              {.keeps_replicas = false, .weighs_work = false, .two_axes = TwoAxes::never});
  steps.moved(100);
  steps.check();
  EXPECT_EQ(steps.changes(), 0u);
  EXPECT_EQ(steps.moved(10), std::uint64_t{10 * 2 * 3 * 18 * cell_bytes});
}

}  // namespace

}  // namespace gridspan::tests::planning
