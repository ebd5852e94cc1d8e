// Barriers of tiles of several warps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU has 16 barriers for each block, which inline PTX may use and of which tiles alone might
// need 31 (cuda_headers/gridspan/groups_large_tile.h). So these are words in shared memory: the
// lower half counts the warps that have come, the upper half is the round. The last warp to come
// begins the next round; nobody comes to that before it began.
#include "gpu.h"

namespace {

constexpr unsigned first_tile = 16, tiles = 32, next_round = 0x10000;

[[clang::loader_uninitialized]] __attribute__((address_space(3))) unsigned words[tiles];

}  // namespace

/// Kernels that use such tiles call it first (src/codegen/ptx/tile_barriers.h).
DEVICE_FUNCTION void gridspan_clear_tile_barriers() {
  const bool is_first = (__nvvm_read_ptx_sreg_tid_x() | __nvvm_read_ptx_sreg_tid_y() |
                         __nvvm_read_ptx_sreg_tid_z()) == 0;
  if (is_first)
    for (auto& word : words) word = 0;
  __nvvm_barrier_sync(0);
}

/// The number of the barrier and, from bit 8 on, how many threads meet there: whole warps. Counts
/// are abi::NumberedBarrier's.
DEVICE_FUNCTION void gridspan_numbered_barrier(unsigned id_and_count) {
  const unsigned warps = id_and_count >> 13;
  auto* const word = &words[(id_and_count & 63) - first_tile];
  __nvvm_bar_warp_sync(0xffffffff);
  if (__nvvm_read_ptx_sreg_laneid() == 0) {
    __nvvm_membar_cta();
    const unsigned before = __atomic_fetch_add(word, 1u, __ATOMIC_RELAXED);
    if ((before & (next_round - 1)) == warps - 1) {
      __atomic_fetch_add(word, next_round - warps, __ATOMIC_RELAXED);
    } else {
      const volatile auto* seen = word;
      while (((*seen ^ before) & ~(next_round - 1)) == 0) {
      }
    }
    __nvvm_membar_cta();
  }
  __nvvm_bar_warp_sync(0xffffffff);
}
