// Fibers: barriers anywhere, lock-step within warps, and threads and blocks that wait on memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_kernel.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace gridspan::test {
namespace {

constexpr SourcePoint here{"fiber.cu", 10, 3};

void barrier(ThreadContext* thread, const SourcePoint* where = &here) {
  gridspan_fiber_barrier(thread, static_cast<std::uint32_t>(SyncKind::barrier), 0, where);
}

/// Volatile and atomic accesses as generated code makes them.
template <class T>
T load(ThreadContext* thread, T* from) {
  gridspan_fiber_yield(thread);
  return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}
template <class T>
void store(ThreadContext* thread, T* to, T value) {
  gridspan_fiber_yield(thread);
  __atomic_store_n(to, value, __ATOMIC_RELEASE);
}
std::uint32_t add(ThreadContext* thread, std::uint32_t* to, std::uint32_t value) {
  gridspan_fiber_yield(thread);
  return __atomic_fetch_add(to, value, __ATOMIC_ACQ_REL);
}

class Fibers : public testing::TestWithParam<unsigned> {
 protected:
  std::unique_ptr<devices::Device> device_ = devices::cpu::make_device({.threads = GetParam()});
};

INSTANTIATE_TEST_SUITE_P(Threads, Fibers, testing::Values(1u, 2u, 3u, 7u));

// --- recursion with a barrier at each level; every third thread leaves before

std::uint32_t meet_at_depth(ThreadContext* thread, std::uint32_t depth) {
  auto* shared = reinterpret_cast<std::uint32_t*>(thread->block->shared);
  const std::uint32_t n = thread->block->thread_count;
  shared[thread->thread] = depth + thread->thread;
  barrier(thread);
  const std::uint32_t other = shared[(thread->thread / 3 * 3 + 3) % (n + 2 - (n + 2) % 3)];
  barrier(thread);
  return depth == 0 ? other : other + meet_at_depth(thread, depth - 1);
}

void recursive_kernel(ThreadContext* thread) {
  if (thread->thread % 3 != 0) return;
  auto* out = argument<std::uint32_t*>(thread->block, 0);
  out[block_number(thread->block) * thread->block->thread_count + thread->thread] =
      meet_at_depth(thread, 4);
}

TEST_P(Fibers, BarriersInRecursionAfterOthersLeft) {
  const TestKernel kernel({.thread = recursive_kernel, .static_shared = 4104});
  for (const std::uint32_t n : block_sizes) {
    std::vector<std::uint32_t> out(n * 3, 7777);
    std::uint32_t* data = out.data();
    expect_clean(run(*device_, kernel, {{3, 1, 1}, {n, 1, 1}, {&data}}));
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      const std::uint32_t t = i % n;
      const std::uint32_t other = (t + 3) % (n + 2 - (n + 2) % 3);
      ASSERT_EQ(out[i], t % 3 == 0 ? 5 * other + 10 : 7777) << n << " " << i;
    }
  }
}

TEST_P(Fibers, ThreadIndexFollowsTheBlockShape) {
  const TestKernel kernel({.thread = [](ThreadContext* thread) {
    auto* out = argument<Dim*>(thread->block, 0);
    out[thread->thread] = thread->thread_index;
  }});
  const Dim shape{5, 3, 7};
  std::vector<Dim> out(105, {99, 99, 99});
  Dim* data = out.data();
  expect_clean(run(*device_, kernel, {{1, 1, 1}, shape, {&data}}));
  for (std::uint32_t t = 0; t < 105; ++t) {
    EXPECT_EQ(out[t].x, t % 5);
    EXPECT_EQ(out[t].y, t / 5 % 3);
    EXPECT_EQ(out[t].z, t / 15);
  }
}

// --- a reduction without __syncwarp, as CUDA 8 programs have it

void volatile_reduction(ThreadContext* thread) {
  auto* shared = reinterpret_cast<std::uint32_t*>(thread->block->shared);
  const std::uint32_t t = thread->thread;
  const std::uint32_t n = thread->block->thread_count;
  shared[t] = argument<std::uint32_t*>(thread->block, 0)[block_number(thread->block) * n + t];
  barrier(thread);
  for (std::uint32_t s = n / 2; s > 32; s /= 2) {
    if (t < s) shared[t] += shared[t + s];
    barrier(thread);
  }
  if (t < 32) {
    for (std::uint32_t s = 32; s > 0; s /= 2) {
      const std::uint32_t other = load(thread, shared + t + s);
      store(thread, shared + t, load(thread, shared + t) + other);
    }
  }
  if (t == 0) argument<std::uint32_t*>(thread->block, 1)[block_number(thread->block)] = shared[0];
}

TEST_P(Fibers, WarpSynchronousVolatileReduction) {
  const TestKernel kernel({.thread = volatile_reduction, .static_shared = 8192});
  for (const std::uint32_t n : {64u, 128u, 512u, 1024u}) {
    const std::uint32_t blocks = 19;
    std::vector<std::uint32_t> in(n * blocks);
    for (std::uint32_t i = 0; i < in.size(); ++i) in[i] = i * 2654435761u;
    std::vector<std::uint32_t> out(blocks, 7777);
    std::uint32_t* source = in.data();
    std::uint32_t* data = out.data();
    expect_clean(run(*device_, kernel, {{blocks, 1, 1}, {n, 1, 1}, {&source, &data}}));
    for (std::uint32_t b = 0; b < blocks; ++b) {
      std::uint32_t sum = 0;
      for (std::uint32_t t = 0; t < n; ++t) sum += in[b * n + t];
      ASSERT_EQ(out[b], sum) << n << " " << b;
    }
  }
}

// --- a spin lock that every thread of every block takes

void spin_lock(ThreadContext* thread) {
  auto* lock = argument<std::uint32_t*>(thread->block, 0);
  for (bool done = false; !done;) {
    gridspan_fiber_yield(thread);
    std::uint32_t expected = 0;
    if (!__atomic_compare_exchange_n(lock, &expected, 1u, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED)) {
      continue;
    }
    const std::uint32_t value = load(thread, lock + 1);
    store(thread, lock + 1, value + 1);
    store(thread, lock, 0u);
    done = true;
  }
}

TEST_P(Fibers, SpinLockBetweenThreadsAndBlocks) {
  const TestKernel kernel({.thread = spin_lock});
  for (const std::uint32_t n : {1u, 33u, 96u}) {
    std::uint32_t lock[2] = {0, 0};
    std::uint32_t* data = lock;
    expect_clean(run(*device_, kernel, {{5, 1, 1}, {n, 1, 1}, {&data}}));
    EXPECT_EQ(lock[0], 0u);
    EXPECT_EQ(lock[1], 5 * n);
  }
}

// --- warp 0 spins until the last warp of the block, which has a barrier before, sets a flag

void wait_for_last_warp(ThreadContext* thread) {
  auto* shared = reinterpret_cast<std::uint32_t*>(thread->block->shared);
  if (thread->thread == 0) shared[0] = 0;
  barrier(thread);
  if (thread->thread == thread->block->thread_count - 1) store(thread, shared, 42u);
  while (load(thread, shared) != 42) {
  }
  argument<std::uint32_t*>(thread->block, 0)[thread->thread] = 1;
}

TEST_P(Fibers, SpinningWarpsDoNotStarveOthers) {
  const TestKernel kernel({.thread = wait_for_last_warp, .static_shared = 64});
  for (const std::uint32_t n : block_sizes) {
    std::vector<std::uint32_t> out(n, 0);
    std::uint32_t* data = out.data();
    expect_clean(run(*device_, kernel, {{1, 1, 1}, {n, 1, 1}, {&data}}));
    EXPECT_EQ(std::count(out.begin(), out.end(), 1u), n);
  }
}

// --- decoupled look-back: block b waits for block b - 1's prefix

void look_back(ThreadContext* thread) {
  auto* prefix = argument<std::uint32_t*>(thread->block, 0);
  if (thread->thread != 0) return;
  const auto b = static_cast<std::uint32_t>(block_number(thread->block));
  std::uint32_t before = 1;
  if (b != 0) {
    while ((before = load(thread, prefix + b - 1)) == 0) {
    }
  }
  store(thread, prefix + b, before + b);
}

TEST_P(Fibers, LookBackBetweenBlocks) {
  const TestKernel kernel({.thread = look_back});
  const std::uint32_t blocks = 501;
  std::vector<std::uint32_t> prefix(blocks, 0);
  std::uint32_t* data = prefix.data();
  expect_clean(run(*device_, kernel, {{blocks, 1, 1}, {40, 1, 1}, {&data}}));
  for (std::uint32_t b = 0; b < blocks; ++b) ASSERT_EQ(prefix[b], 1 + b * (b + 1) / 2);
}

/// Block b waits for block b + 1: only works if waiting blocks let later ones start.
void look_ahead(ThreadContext* thread) {
  auto* flags = argument<std::uint32_t*>(thread->block, 0);
  const auto b = static_cast<std::uint32_t>(block_number(thread->block));
  const std::uint32_t blocks = thread->block->launch->grid.x;
  if (thread->thread == 0 && b + 1 < blocks) {
    while (load(thread, flags + b + 1) == 0) {
    }
  }
  barrier(thread);
  if (thread->thread == 0) store(thread, flags + b, 1u);
}

TEST_P(Fibers, WaitingBlocksLetLaterOnesStart) {
  const TestKernel kernel({.thread = look_ahead});
  const std::uint32_t blocks = devices::cpu::max_resident_blocks * GetParam();
  std::vector<std::uint32_t> flags(blocks, 0);
  std::uint32_t* data = flags.data();
  expect_clean(run(*device_, kernel, {{blocks, 1, 1}, {64, 1, 1}, {&data}}));
  EXPECT_EQ(std::count(flags.begin(), flags.end(), 1u), blocks);
}

// --- a grid barrier made by hand, as many blocks as the occupancy calculation allows

void grid_barrier(ThreadContext* thread) {
  auto* counter = argument<std::uint32_t*>(thread->block, 0);
  auto* out = argument<std::uint32_t*>(thread->block, 1);
  const auto b = static_cast<std::uint32_t>(block_number(thread->block));
  const std::uint32_t blocks = thread->block->launch->grid.x;
  const std::uint32_t n = thread->block->thread_count;
  for (std::uint32_t step = 1; step <= 5; ++step) {
    const std::uint32_t from = ((b + 1) % blocks) * n + thread->thread;
    const std::uint32_t value = out[(step % 2) * blocks * n + from] + 1;
    out[((step + 1) % 2) * blocks * n + b * n + thread->thread] = value;
    barrier(thread);
    if (thread->thread == 0) {
      add(thread, counter, 1);
      while (load(thread, counter) < step * blocks) {
      }
    }
    barrier(thread);
  }
}

TEST_P(Fibers, HandMadeGridBarrierWithFullOccupancy) {
  const TestKernel kernel({.thread = grid_barrier});
  for (const std::uint32_t n : {64u, 1024u}) {
    const std::uint32_t per_worker =
        std::min(devices::cpu::max_resident_blocks, devices::cpu::max_resident_threads / n);
    const std::uint32_t blocks = per_worker * GetParam();
    std::uint32_t counter = 0;
    std::vector<std::uint32_t> out(2 * blocks * n, 0);
    for (std::uint32_t i = 0; i < blocks * n; ++i) out[blocks * n + i] = i;
    std::uint32_t* count = &counter;
    std::uint32_t* data = out.data();
    expect_clean(run(*device_, kernel, {{blocks, 1, 1}, {n, 1, 1}, {&count, &data}}));
    for (std::uint32_t i = 0; i < blocks * n; ++i) {
      ASSERT_EQ(out[i], (i + 5 * n) % (blocks * n) + 5) << n << " " << i;
    }
  }
}

// --- a long loop of atomics, shorter than no other's: the sum must be exact

void histogram(ThreadContext* thread) {
  auto* bins = argument<std::uint32_t*>(thread->block, 0);
  for (std::uint32_t i = 0; i < 200; ++i) add(thread, bins + (i * thread->thread) % 17, 1);
}

TEST_P(Fibers, AtomicsFromManyBlocks) {
  const TestKernel kernel({.thread = histogram});
  std::vector<std::uint32_t> bins(17, 0);
  std::uint32_t* data = bins.data();
  expect_clean(run(*device_, kernel, {{50, 1, 1}, {65, 1, 1}, {&data}}));
  std::vector<std::uint32_t> expected(17, 0);
  for (std::uint32_t t = 0; t < 65; ++t) {
    for (std::uint32_t i = 0; i < 200; ++i) expected[i * t % 17] += 50;
  }
  EXPECT_EQ(bins, expected);
}

TEST_P(Fibers, LargerStacksOnRequest) {
  const TestKernel kernel({.thread = [](ThreadContext* thread) {
    volatile char large[200 << 10];
    large[0] = 1;
    large[sizeof large - 1] = 2;
    barrier(thread);
    argument<std::uint32_t*>(thread->block, 0)[thread->thread] =
        static_cast<std::uint32_t>(large[0] + large[sizeof large - 1]);
  }});
  device_->queue().set_limit(devices::Limit::stack_bytes, 256 << 10);
  std::vector<std::uint32_t> out(70, 0);
  std::uint32_t* data = out.data();
  expect_clean(run(*device_, kernel, {{1, 1, 1}, {70, 1, 1}, {&data}}));
  EXPECT_EQ(std::count(out.begin(), out.end(), 3u), 70);
}

}  // namespace
}  // namespace gridspan::test
