// Footprints of very many pieces: planning is no longer for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"

#include <numeric>

namespace gridspan::tests::plan_footprints {

namespace {

constexpr std::uint32_t n = 1 << 20;  // blocks of one thread
std::int64_t boxes_made = 0;

/// Each block's own element, the next one is nobody's.
void every_other(const std::int64_t*, const std::int64_t* part, abi::BoxSink* sink) {
  for (std::int64_t block = part[0]; block <= part[3]; ++block, ++boxes_made)
    emit(sink, 2 * block, 2 * block);
}
void add_one_to_every_other(abi::ThreadContext* thread) {
  ++argument<int*>(thread, 0)[2 * global_x(thread)];
}

}  // namespace

TEST(PlanFootprints, APieceForEachOfAMillionBlocksIsNotMadeForEach) {
  ModelledKernel kernel("every_other", 1, 1);
  kernel
      .array(4,
             {set(SetKind::read, every_other, exact), set(SetKind::must_write, every_other, exact)})
      .runs<add_one_to_every_other>();
  kernel.model().axes[0] = {always_holds, 1, 0};
  PlanBench bench(2);
  int* const numbers = bench.allocate<int>(2 * n);
  std::vector<int> from(2 * n);
  std::iota(from.begin(), from.end(), 0);
  bench.copy(numbers, from.data(), 8 * n);
  bench.finish();
  boxes_made = 0;
  bench.launch(kernel.command({n, 1, 1}, {1, 1, 1}, {numbers}, {static_cast<std::int32_t>(n)}));
  bench.finish();
  EXPECT_GT(boxes_made, 0);
  EXPECT_LT(boxes_made, 20'000);
  for (std::uint32_t i = 0; i < n; ++i) ++from[2 * i];
  EXPECT_EQ(bench.read(numbers, 2 * n), from);
}

}  // namespace gridspan::tests::plan_footprints
