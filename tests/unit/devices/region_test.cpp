// Regions: block barriers on every kind of control flow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_kernel.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace gridspan::test {
namespace {

class Regions : public testing::TestWithParam<unsigned> {
 protected:
  std::unique_ptr<devices::Device> device_ = devices::cpu::make_device({.threads = GetParam()});
};

INSTANTIATE_TEST_SUITE_P(Threads, Regions, testing::Values(1u, 2u, 3u, 7u));

// --- out[i] = global index; no sync point

void store_index(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* out = argument<std::uint32_t*>(block, 0);
  const std::uint64_t base = block_number(block) * block->thread_count;
  for (std::uint32_t t = first; t < last; ++t)
    out[base + t] += static_cast<std::uint32_t>(base + t);
}

TEST_P(Regions, KernelWithoutSyncPointsRunsEveryThreadOnce) {
  const TestKernel kernel({.regions = {{store_index, abi::exited, {}, {}}}});
  for (const std::uint32_t threads : block_sizes) {
    const std::uint32_t blocks = 37;
    std::vector<std::uint32_t> out(threads * blocks + 5, 7);
    std::uint32_t* data = out.data();
    expect_clean(run(*device_, kernel, {{blocks, 1, 1}, {threads, 1, 1}, {&data}}));
    for (std::uint32_t i = 0; i < threads * blocks; ++i) ASSERT_EQ(out[i], 7 + i);
    for (std::uint32_t i = threads * blocks; i < out.size(); ++i) ASSERT_EQ(out[i], 7u);
  }
}

// --- if (t >= live) return; shared[t] = t; barrier; out[t] = shared[live - 1 - t]

void exit_or_write(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto live = argument<std::uint32_t>(block, 1);
  auto* shared = reinterpret_cast<std::uint32_t*>(block->shared);
  for (std::uint32_t t = first; t < last; ++t) {
    block->next[t] = t >= live ? abi::exited : 1;
    if (t < live) shared[t] = t + 100;
  }
}

void read_reversed(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto live = argument<std::uint32_t>(block, 1);
  auto* out = argument<std::uint32_t*>(block, 0) + block_number(block) * block->thread_count;
  const auto* shared = reinterpret_cast<const std::uint32_t*>(block->shared);
  for (std::uint32_t t = first; t < last; ++t) out[t] = shared[live - 1 - t];
}

TEST_P(Regions, ThreadsThatReturnedEarlyDoNotHoldABarrier) {
  const TestKernel kernel({.regions = {{exit_or_write, many, {}, {}},
                                       {read_reversed, abi::exited, SyncKind::barrier, {}}},
                           .flags = abi::kernel_has_block_sync,
                           .static_shared = 4096});
  for (const std::uint32_t threads : block_sizes) {
    for (const std::uint32_t live : {0u, 1u, threads / 2, threads - 1, threads}) {
      std::vector<std::uint32_t> out(threads * 3, 7);
      std::uint32_t* data = out.data();
      expect_clean(run(*device_, kernel, {{3, 1, 1}, {threads, 1, 1}, {&data, &live}}));
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        const std::uint32_t t = i % threads;
        ASSERT_EQ(out[i], t < live ? live - 1 - t + 100 : 7) << threads << " " << live << " " << i;
      }
    }
  }
}

// --- for (i = 0; i <= t % 5; ++i) { shared[t] += 1; barrier; sum += shared[(t+1) % n]; barrier }
// Threads leave after different trip counts; the others go on meeting.

struct LoopFrame {
  static std::uint32_t& i(BlockContext* b, std::uint32_t t) { return slot<std::uint32_t>(b, 0, t); }
  static std::uint32_t& sum(BlockContext* b, std::uint32_t t) {
    return slot<std::uint32_t>(b, 4, t);
  }
};

void loop_entry(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* shared = reinterpret_cast<std::uint32_t*>(block->shared);
  for (std::uint32_t t = first; t < last; ++t) {
    LoopFrame::i(block, t) = 0;
    LoopFrame::sum(block, t) = 0;
    shared[t] = 1;
  }
}

void loop_read(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto* shared = reinterpret_cast<const std::uint32_t*>(block->shared);
  for (std::uint32_t t = first; t < last; ++t) {
    LoopFrame::sum(block, t) += shared[(t + 1) % block->thread_count];
  }
}

void loop_latch(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* shared = reinterpret_cast<std::uint32_t*>(block->shared);
  auto* out = argument<std::uint32_t*>(block, 0) + block_number(block) * block->thread_count;
  for (std::uint32_t t = first; t < last; ++t) {
    if (++LoopFrame::i(block, t) <= t % 5) {
      shared[t] += 1;
      block->next[t] = 1;
    } else {
      out[t] = LoopFrame::sum(block, t);
      block->next[t] = abi::exited;
    }
  }
}

TEST_P(Regions, BarriersInALoopWithDifferentTripCounts) {
  const TestKernel kernel({.regions = {{loop_entry, 1, {}, {}},
                                       {loop_read, 2, SyncKind::barrier, {}},
                                       {loop_latch, many, SyncKind::barrier, {}}},
                           .flags = abi::kernel_has_block_sync,
                           .static_shared = 4096,
                           .frame_bytes = 8});
  for (const std::uint32_t n : block_sizes) {
    std::vector<std::uint32_t> out(n * 2, 7);
    std::uint32_t* data = out.data();
    expect_clean(run(*device_, kernel, {{2, 1, 1}, {n, 1, 1}, {&data}}));
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      const std::uint32_t t = i % n;
      std::uint32_t sum = 0;
      for (std::uint32_t k = 0; k <= t % 5; ++k) sum += 1 + std::min(k, (t + 1) % n % 5);
      ASSERT_EQ(out[i], sum) << n << " " << i;
    }
  }
}

// --- static sequence of three regions, 3-D blocks, dynamic shared memory behind static

void sequence_write(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* dynamic = reinterpret_cast<std::uint32_t*>(block->shared + block->dynamic_shared_offset);
  for (std::uint32_t t = first; t < last; ++t) dynamic[t] = t * 3 + block->block_index.y;
}
void sequence_rotate(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* dynamic = reinterpret_cast<std::uint32_t*>(block->shared + block->dynamic_shared_offset);
  for (std::uint32_t t = first; t < last; ++t) {
    slot<std::uint32_t>(block, 0, t) = dynamic[(t + 1) % block->thread_count];
  }
}
void sequence_store(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* out = argument<std::uint32_t*>(block, 0) + block_number(block) * block->thread_count;
  for (std::uint32_t t = first; t < last; ++t) out[t] = slot<std::uint32_t>(block, 0, t);
}

TEST_P(Regions, StaticSequenceOnThreeDimensionalBlocks) {
  const TestKernel kernel({.regions = {{sequence_write, 1, {}, {}},
                                       {sequence_rotate, 2, SyncKind::barrier, {}},
                                       {sequence_store, abi::exited, SyncKind::barrier, {}}},
                           .flags = abi::kernel_has_block_sync,
                           .static_shared = 13,
                           .frame_bytes = 4});
  const Dim block{5, 3, 7};
  const Dim grid{3, 2, 4};
  const std::uint32_t n = 5 * 3 * 7;
  std::vector<std::uint32_t> out(n * 24, 7);
  std::uint32_t* data = out.data();
  expect_clean(run(*device_, kernel, {grid, block, {&data}, n * 4}));
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const std::uint32_t t = i % n;
    ASSERT_EQ(out[i], (t + 1) % n * 3 + i / n / 3 % 2) << i;
  }
}

// --- barrier reductions; odd threads take another barrier, every seventh leaves first

void vote_entry(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto mode = argument<std::uint32_t>(block, 1);
  for (std::uint32_t t = first; t < last; ++t) {
    block->sync_value[t] = t % 3 == 0;
    block->next[t] = static_cast<std::uint16_t>(1 + mode);
    if (t % 7 == 6) block->next[t] = abi::exited;
  }
}
void vote_store(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* out = argument<std::uint32_t*>(block, 0);
  for (std::uint32_t t = first; t < last; ++t) {
    out[t] = static_cast<std::uint32_t>(block->sync_value[t]);
  }
}

TEST_P(Regions, BarrierReductionsCountArrivingThreads) {
  const TestKernel kernel({.regions = {{vote_entry, many, {}, {}},
                                       {vote_store, abi::exited, SyncKind::barrier_count, {}},
                                       {vote_store, abi::exited, SyncKind::barrier_and, {}},
                                       {vote_store, abi::exited, SyncKind::barrier_or, {}}},
                           .flags = abi::kernel_has_block_sync});
  for (const std::uint32_t n : block_sizes) {
    for (std::uint32_t mode = 0; mode < 3; ++mode) {
      std::vector<std::uint32_t> out(n, 7777);
      std::uint32_t* data = out.data();
      expect_clean(run(*device_, kernel, {{1, 1, 1}, {n, 1, 1}, {&data, &mode}}));
      std::uint32_t arrived = 0;
      std::uint32_t yes = 0;
      for (std::uint32_t t = 0; t < n; ++t) {
        arrived += t % 7 != 6;
        yes += t % 7 != 6 && t % 3 == 0;
      }
      const std::uint32_t expected[] = {yes, yes == arrived, yes != 0};
      for (std::uint32_t t = 0; t < n; ++t) {
        ASSERT_EQ(out[t], t % 7 == 6 ? 7777 : expected[mode]) << n << " " << mode << " " << t;
      }
    }
  }
}

void all_vote(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto mode = argument<std::uint32_t>(block, 1);
  for (std::uint32_t t = first; t < last; ++t) {
    block->sync_value[t] = t % 3 == 0;
    block->next[t] = static_cast<std::uint16_t>(1 + mode);
  }
}

TEST_P(Regions, BarrierReductionsOfAConvergedBlock) {
  const TestKernel kernel({.regions = {{all_vote, many, {}, {}},
                                       {vote_store, abi::exited, SyncKind::barrier_count, {}},
                                       {vote_store, abi::exited, SyncKind::barrier_and, {}},
                                       {vote_store, abi::exited, SyncKind::barrier_or, {}}},
                           .flags = abi::kernel_has_block_sync});
  for (const std::uint32_t n : block_sizes) {
    for (std::uint32_t mode = 0; mode < 3; ++mode) {
      std::vector<std::uint32_t> out(n, 7777);
      std::uint32_t* data = out.data();
      expect_clean(run(*device_, kernel, {{1, 1, 1}, {n, 1, 1}, {&data, &mode}}));
      const std::uint32_t yes = (n + 2) / 3;
      const std::uint32_t expected[] = {yes, yes == n, 1};
      for (std::uint32_t t = 0; t < n; ++t) ASSERT_EQ(out[t], expected[mode]);
    }
  }
}

// --- even and odd threads wait at different barriers: hardware counts arrivals

void split_entry(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* shared = reinterpret_cast<std::uint32_t*>(block->shared);
  for (std::uint32_t t = first; t < last; ++t) {
    shared[t] = t;
    block->next[t] = t % 2 == 0 ? 1 : 2;
  }
}
void split_read(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto* shared = reinterpret_cast<const std::uint32_t*>(block->shared);
  auto* out = argument<std::uint32_t*>(block, 0);
  for (std::uint32_t t = first; t < last; ++t) out[t] = shared[block->thread_count - 1 - t];
}

TEST_P(Regions, ArrivalsAtDifferentBarriersReleaseEachOther) {
  const TestKernel kernel({.regions = {{split_entry, many, {}, {}},
                                       {split_read, abi::exited, SyncKind::barrier, {}},
                                       {split_read, abi::exited, SyncKind::barrier, {}}},
                           .flags = abi::kernel_has_block_sync,
                           .static_shared = 4096});
  for (const std::uint32_t n : block_sizes) {
    std::vector<std::uint32_t> out(n, 7777);
    std::uint32_t* data = out.data();
    expect_clean(run(*device_, kernel, {{1, 1, 1}, {n, 1, 1}, {&data}}));
    for (std::uint32_t t = 0; t < n; ++t) ASSERT_EQ(out[t], n - 1 - t);
  }
}

}  // namespace
}  // namespace gridspan::test
