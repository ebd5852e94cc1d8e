// Warp operations in divergent code, and what happens when they can never complete.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_kernel.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace gridspan::test {
namespace {

constexpr std::uint32_t full = ~0u;

void ask(BlockContext* block, std::uint32_t t, std::uint32_t mask, std::uint64_t value,
         std::uint32_t lane, std::uint32_t clamp) {
  block->sync_mask[t] = mask;
  block->sync_value[t] = value;
  block->sync_lane[t] = lane;
  block->sync_clamp[t] = clamp;
}

void store_result(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* out = argument<std::uint32_t*>(block, 0);
  for (std::uint32_t t = first; t < last; ++t) {
    out[t] = static_cast<std::uint32_t>(block->sync_value[t]);
  }
}

// --- halves of a warp shuffle at different places of the program, with the whole warp's mask

void halves_part(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) {
    ask(block, t, full, t * 10, 31 - t % 32, 0x1f);
    block->next[t] = t % 32 < 16 ? 1 : 2;
  }
}

TEST(Warps, SameOperationAtDifferentPlacesMeets) {
  const TestKernel kernel({.regions = {{halves_part, many, {}, {}},
                                       {store_result, abi::exited, SyncKind::shuffle_index, {}},
                                       {store_result, abi::exited, SyncKind::shuffle_index, {}}},
                           .flags = abi::kernel_has_warp_sync});
  const auto device = devices::cpu::make_device({.threads = 2});
  for (const std::uint32_t n : block_sizes) {
    std::vector<std::uint32_t> out(n, 7777);
    std::uint32_t* data = out.data();
    expect_clean(run(*device, kernel, {{1, 1, 1}, {n, 1, 1}, {&data}}));
    for (std::uint32_t t = 0; t < n; ++t) {
      const std::uint32_t from = t / 32 * 32 + 31 - t % 32;
      ASSERT_EQ(out[t], (from < n ? from : t) * 10) << n << " " << t;
    }
  }
}

// --- a converged block runs region by region over all warps; lanes that left count as inactive

void leave_some(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto every = argument<std::uint32_t>(block, 1);
  for (std::uint32_t t = first; t < last; ++t) {
    ask(block, t, full, t, 1, 0x1f);
    block->next[t] = t % every == every - 1 ? abi::exited : 1;
  }
}
void keep_and_vote(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) {
    slot<std::uint64_t>(block, 0, t) = block->sync_value[t];
    ask(block, t, full, 1, 0, 0);
  }
}
void store_both(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* out = argument<std::uint64_t*>(block, 0);
  for (std::uint32_t t = first; t < last; ++t) {
    out[t] = slot<std::uint64_t>(block, 0, t) << 32 | block->sync_value[t];
  }
}

TEST(Warps, FullMasksWithLanesThatLeft) {
  const TestKernel kernel({.regions = {{leave_some, many, {}, {}},
                                       {keep_and_vote, 2, SyncKind::shuffle_down, {}},
                                       {store_both, abi::exited, SyncKind::vote_ballot, {}}},
                           .flags = abi::kernel_has_warp_sync,
                           .frame_bytes = 8});
  const auto device = devices::cpu::make_device({.threads = 2});
  for (const std::uint32_t n : block_sizes) {
    for (const std::uint32_t every : {2u, 3u, 32u, 33u, 2000u}) {
      std::vector<std::uint64_t> out(n, 7777);
      std::uint64_t* data = out.data();
      expect_clean(run(*device, kernel, {{1, 1, 1}, {n, 1, 1}, {&data, &every}}));
      const auto live = [&](std::uint32_t t) { return t < n && t % every != every - 1; };
      for (std::uint32_t t = 0; t < n; ++t) {
        std::uint64_t votes = 0;
        for (std::uint32_t l = 0; l < 32; ++l) {
          votes |= std::uint64_t{live(t / 32 * 32 + l)} << l;
        }
        const std::uint64_t from = t % 32 != 31 && live(t + 1) ? t + 1 : t;
        ASSERT_EQ(out[t], live(t) ? from << 32 | votes : 7777) << n << " " << every << " " << t;
      }
    }
  }
}

// --- one place, but each part of a warp with a mask of its own

std::uint32_t part_mask(std::uint32_t lane, std::uint32_t parts) {
  std::uint32_t mask = 0;
  for (std::uint32_t l = 0; l < 32; ++l)
    mask |= static_cast<std::uint32_t>(l % parts == lane % parts) << l;
  return mask;
}
void sum_by_parts(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  const auto parts = argument<std::uint32_t>(block, 1);
  for (std::uint32_t t = first; t < last; ++t) {
    ask(block, t, part_mask(t % 32, parts), 1u << t % 32, 0, 0);
  }
}

TEST(Warps, ConvergedBlockWithMasksOfParts) {
  const TestKernel kernel({.regions = {{sum_by_parts, 1, {}, {}},
                                       {store_result, abi::exited, SyncKind::reduce_add, {}}},
                           .flags = abi::kernel_has_warp_sync});
  const auto device = devices::cpu::make_device({.threads = 2});
  for (const std::uint32_t n : block_sizes) {
    for (const std::uint32_t parts : {1u, 2u, 3u, 32u}) {
      std::vector<std::uint32_t> out(n, 7777);
      std::uint32_t* data = out.data();
      expect_clean(run(*device, kernel, {{1, 1, 1}, {n, 1, 1}, {&data, &parts}}));
      for (std::uint32_t t = 0; t < n; ++t) {
        const std::uint32_t lanes = std::min(32u, n - t / 32 * 32);
        ASSERT_EQ(out[t], part_mask(t % 32, parts) & (~0u >> (32 - lanes))) << n << " " << parts;
      }
    }
  }
}

// --- lanes that spin do not hold up operations of the others

void spin_until(ThreadContext* thread, const std::uint32_t* flag) {
  do {
    gridspan_fiber_yield(thread);
  } while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0);
}

/// Lane 0 of the warp waits for what lane 1 does after its operation.
template <SyncKind kind>
void operate_beside_spinner(ThreadContext* thread) {
  static constexpr SourcePoint place{"spin.cu", 3, 1};
  auto* flag = argument<std::uint32_t*>(thread->block, 0) + thread->thread / 32;
  const std::uint32_t lane = thread->thread % 32;
  if (lane == 0) return spin_until(thread, flag);
  for (std::uint32_t i = 0; i < lane * 3; ++i) gridspan_fiber_yield(thread);
  if (lane == 2) return;  // in the mask, but leaves
  gridspan_fiber_warp(thread, static_cast<std::uint32_t>(kind), ~1u, 0, 0, 0, nullptr, &place);
  if (lane == 1) __atomic_store_n(flag, 1u, __ATOMIC_RELEASE);
}

TEST(Warps, SpinningLanesDoNotHoldUpTheOthers) {
  const TestKernel masked({.thread = operate_beside_spinner<SyncKind::warp_barrier>});
  const TestKernel maskless({.thread = operate_beside_spinner<SyncKind::active_mask>});
  const TestKernel steps({.thread = operate_beside_spinner<SyncKind::warp_step>});
  const auto device = devices::cpu::make_device({.threads = 2});
  for (const TestKernel* kernel : {&masked, &maskless, &steps}) {
    std::vector<std::uint32_t> flags(7, 0);
    std::uint32_t* data = flags.data();
    expect_clean(run(*device, *kernel, {{1, 1, 1}, {7 * 32, 1, 1}, {&data}}));
    EXPECT_EQ(flags, std::vector<std::uint32_t>(7, 1));
  }
}

// --- __activemask in a branch

void branch_to_active_mask(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) {
    block->next[t] = t % 3 == 0 ? 1 : t % 3 == 1 ? 2 : abi::exited;
  }
}

void active_mask_thread(ThreadContext* thread) {
  static constexpr SourcePoint places[2] = {{"a.cu", 5, 1}, {"a.cu", 7, 1}};
  if (thread->thread % 3 == 2) return;
  // Different numbers of yields: lanes that are still on their way are waited for.
  for (std::uint32_t i = 0; i < thread->thread % 20; ++i) gridspan_fiber_yield(thread);
  argument<std::uint32_t*>(thread->block, 0)[thread->thread] = static_cast<std::uint32_t>(
      gridspan_fiber_warp(thread, static_cast<std::uint32_t>(SyncKind::active_mask), 0, 0, 0, 0,
                          nullptr, &places[thread->thread % 3]));
}

TEST(Warps, ActiveMaskIsWhoWaitsAtTheSamePlace) {
  const TestKernel regions({.regions = {{branch_to_active_mask, many, {}, {}},
                                        {store_result, abi::exited, SyncKind::active_mask, {}},
                                        {store_result, abi::exited, SyncKind::active_mask, {}}},
                            .flags = abi::kernel_has_warp_sync});
  const TestKernel fibers({.thread = active_mask_thread});
  const auto device = devices::cpu::make_device({.threads = 2});
  for (const TestKernel* kernel : {&regions, &fibers}) {
    for (const std::uint32_t n : block_sizes) {
      std::vector<std::uint32_t> out(n, 7777);
      std::uint32_t* data = out.data();
      expect_clean(run(*device, *kernel, {{1, 1, 1}, {n, 1, 1}, {&data}}));
      for (std::uint32_t t = 0; t < n; ++t) {
        std::uint32_t here = 0;
        for (std::uint32_t l = 0; l < 32 && t / 32 * 32 + l < n; ++l) {
          if ((t / 32 * 32 + l) % 3 == t % 3) here |= 1u << l;
        }
        ASSERT_EQ(out[t], t % 3 == 2 ? 7777 : here) << n << " " << t;
      }
    }
  }
}

// --- steps: lanes that are behind go first

void leave_mark(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) {
    argument<std::uint32_t*>(block, 0)[t] = t;
    block->next[t] = 2;
  }
}

void read_mark(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* marks = argument<std::uint32_t*>(block, 0);
  for (std::uint32_t t = first; t < last; ++t) {
    if (t % 3 != 0) marks[t] = marks[t / 32 * 32];
    block->next[t] = abi::exited;
  }
}

void take_detour(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t)
    block->next[t] = t % 32 % 3 == 0 ? 1 : t % 5 == 0 ? abi::exited : 2;
}

void take_detour_thread(ThreadContext* thread) {
  static constexpr SourcePoint places[2] = {{"a.cu", 5, 1}, {"a.cu", 7, 1}};
  auto* marks = argument<std::uint32_t*>(thread->block, 0);
  const std::uint32_t t = thread->thread, kind = static_cast<std::uint32_t>(SyncKind::warp_step);
  if (t % 32 % 3 == 0) {
    gridspan_fiber_warp(thread, kind, 0, 0, 1, 0, nullptr, &places[0]);
    marks[t] = t;
  } else if (t % 5 == 0) {
    return;
  }
  gridspan_fiber_warp(thread, kind, 0, 0, 2, 0, nullptr, &places[1]);
  if (t % 3 != 0) marks[t] = marks[t / 32 * 32];
}

TEST(Warps, LanesThatAreBehindCatchUpBeforeTheNextStep) {
  const TestKernel regions({.regions = {{take_detour, many, {}, {}},
                                        {leave_mark, 2, SyncKind::warp_step, {}},
                                        {read_mark, abi::exited, SyncKind::warp_step, {}}},
                            .flags = abi::kernel_has_warp_sync});
  const TestKernel fibers({.thread = take_detour_thread});
  const auto device = devices::cpu::make_device({.threads = 2});
  for (const TestKernel* kernel : {&regions, &fibers}) {
    for (const std::uint32_t n : block_sizes) {
      std::vector<std::uint32_t> out(n, 7777);
      std::uint32_t* data = out.data();
      expect_clean(run(*device, *kernel, {{1, 1, 1}, {n, 1, 1}, {&data}}));
      for (std::uint32_t t = 0; t < n; ++t) {
        const bool detours = t % 32 % 3 == 0;
        const std::uint32_t want = !detours && t % 5 == 0 ? 7777
                                   : t % 3 != 0           ? t / 32 * 32
                                   : detours              ? t
                                                          : 7777;
        ASSERT_EQ(out[t], want) << n << " " << t;
      }
    }
  }
}

// --- lanes wait for lanes that wait at the block barrier

constexpr SourcePoint shuffle_place{"dead.cu", 12, 7};
constexpr SourcePoint barrier_place{"dead.cu", 14, 5};

void part_ways(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) {
    ask(block, t, full, t, 0, 0);
    block->next[t] = t % 32 < 8 ? 1 : 2;
  }
}

void part_ways_thread(ThreadContext* thread) {
  if (thread->thread % 32 < 8) {
    gridspan_fiber_warp(thread, static_cast<std::uint32_t>(SyncKind::shuffle_index), full, 0, 0, 0,
                        nullptr, &shuffle_place);
  }
  gridspan_fiber_barrier(thread, 0, 0, &barrier_place);
}

TEST(Warps, WaitingForEachOtherForEverIsReported) {
  const TestKernel regions(
      {.name = "_Z8deadlockPf",
       .regions = {{part_ways, many, {}, {}},
                   {store_result, abi::exited, SyncKind::shuffle_index, shuffle_place},
                   {store_result, abi::exited, SyncKind::barrier, barrier_place}},
       .flags = abi::kernel_has_warp_sync | abi::kernel_has_block_sync});
  const TestKernel fibers({.name = "_Z8deadlockPf", .thread = part_ways_thread});
  std::vector<std::uint32_t> out(4096, 7777);
  std::uint32_t* data = out.data();
  for (const unsigned threads : {1u, 3u}) {
    const auto device = devices::cpu::make_device({.threads = threads});
    for (const TestKernel* kernel : {&regions, &fibers}) {
      const RunResult result = run(*device, *kernel, {{20, 1, 1}, {48, 1, 1}, {&data}});
      EXPECT_EQ(result.fault, Fault::barrier_deadlock);
      for (const char* part :
           {"dead.cu:12:7: error: ", "deadlock(float*)", "block [",
            "threads 0-7 at __shfl_sync (dead.cu:12:7)", "at __syncthreads (dead.cu:14:5)"}) {
        EXPECT_NE(result.message.find(part), std::string::npos) << result.message;
      }
      EXPECT_EQ(result.message.find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace gridspan::test
