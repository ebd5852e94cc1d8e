// The numbered barriers of one block, at which some of its threads meet (bar.sync id, count).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier opens when as many threads wait at it or have announced themselves (bar.arrive) as its
// users say. As on a GPU a warp counts as 32 threads even where the block's last one has fewer.
#pragma once

#include "abi/launch.h"
#include "abi/sync.h"

#include <array>
#include <cstdint>

namespace gridspan::devices::cpu {

/// A thread that brings `word` to a barrier of this kind waits for some of the block. Barrier 0
/// without a count is __syncthreads.
constexpr bool is_for_some(abi::SyncKind kind, std::uint64_t word) {
  return kind == abi::SyncKind::numbered_arrival || kind == abi::SyncKind::phase_wait ||
         kind == abi::SyncKind::waiting_round ||
         (kind == abi::SyncKind::numbered_barrier && word != 0);
}

/// Trivially destructible: a fault leaves its owner by longjmp.
class NumberedBarriers {
 public:
  void reset() { announced_.fill(0); }

  /// Opens the barriers that are complete, and looks at the objects that threads wait for.
  /// `kind_of(t, kind)` is true if thread t waits at one of them and sets how; `go_on(t)` is called
  /// for each thread that may go on. False: nobody may.
  template <class KindOf, class GoOn>
  bool open(const abi::BlockContext& block, std::uint32_t live, KindOf kind_of, GoOn go_on);

 private:
  struct Barrier {
    std::uint32_t waiting = 0;   // counted in threads of full warps
    std::uint32_t threads = 0;   // that really wait
    std::uint32_t expected = 0;  // 0: all threads of the block that have not left
  };

  static std::uint32_t weight(const abi::BlockContext& block, std::uint32_t t) {
    const std::uint32_t first = t / abi::warp_size * abi::warp_size;
    const std::uint32_t lanes = block.thread_count - first;
    return t == first && lanes < abi::warp_size ? abi::warp_size - lanes + 1 : 1;
  }

  std::array<std::uint32_t, abi::NumberedBarrier::ids> announced_{};
};

template <class KindOf, class GoOn>
bool NumberedBarriers::open(const abi::BlockContext& block, std::uint32_t live, KindOf kind_of,
                            GoOn go_on) {
  constexpr std::uint32_t ids = abi::NumberedBarrier::ids;
  Barrier barriers[ids];
  bool progress = false;
  auto for_each = [&](auto visit) {
    for (std::uint32_t t = 0; t < block.thread_count; ++t) {
      abi::SyncKind kind{};
      if (kind_of(t, kind) && kind != abi::SyncKind::phase_wait)
        visit(t, kind, abi::NumberedBarrier::of(static_cast<std::uint32_t>(block.sync_value[t])));
    }
  };
  for (std::uint32_t t = 0; t < block.thread_count; ++t) {
    abi::SyncKind kind{};
    if (kind_of(t, kind) && kind == abi::SyncKind::phase_wait &&
        abi::PhaseWait{block.sync_value[t]}.is_over()) {
      progress = true;
      go_on(t);
    }
  }
  for_each([&](std::uint32_t t, abi::SyncKind kind, abi::NumberedBarrier at) {
    Barrier& barrier = barriers[at.id];
    barrier.expected = at.count;
    if (kind == abi::SyncKind::numbered_arrival) {
      announced_[at.id] += weight(block, t);
      progress = true;
      go_on(t);
    } else {
      barrier.waiting += weight(block, t);
      ++barrier.threads;
    }
  });
  bool opens[ids] = {};
  for (std::uint32_t id = 0; id < ids; ++id) {
    const Barrier& barrier = barriers[id];
    const std::uint32_t present = barrier.waiting + announced_[id];
    if (barrier.expected == 0) {
      opens[id] = barrier.threads != 0 && barrier.threads == live;
    } else if (present >= barrier.expected) {
      opens[id] = true;
      announced_[id] = present - barrier.expected;
    }
  }
  for_each([&](std::uint32_t t, abi::SyncKind kind, abi::NumberedBarrier at) {
    if (kind == abi::SyncKind::numbered_arrival || !opens[at.id]) return;
    progress = true;
    go_on(t);
  });
  return progress;
}

}  // namespace gridspan::devices::cpu
