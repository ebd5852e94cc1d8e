// The blocks of several launches in an order that finds data in the cache.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     blocks ->   launch 0  |  1 1 2 2 3 3 |  1 1 2 2 3 3 |     first phase: each strip alone, as
//                 launch 1  |  1 2 2 3 3 / | \ 1 2 2 3 3  |     far as it needs no other strip; the
//                 launch 2  |  2 2 3 3 /   |  \ 2 2 3 3   |     numbers are its steps
//                                   ---- 4 ----     second phase: what lies between them
//
// A worker runs a strip: some blocks of the first launch, then those of the next ones that may run
// by then, and so on: a skewed wavefront. No block does anything else than before, and two blocks
// that touch the same byte, one of them writing, keep their order: memory ends up the same, bit for
// bit. Strips of a phase have no such bytes in common. (Split tiling; Grosser et al., GPGPU-6,
// 2013, tile one loop nest so. Here boxes of blocks take the place of its dependences.)
#pragma once

#include "runtime/fuse/effects.h"
#include "runtime/fuse/unit_graph.h"
#include "runtime/schedule/chain_steps.h"

#include <cstddef>
#include <cstdint>

namespace gridspan::runtime::fuse {

struct ChainCut {
  std::uint32_t strips = 1;
  std::uint32_t slab_units = 1;  // of launch 0 in a round of a strip
};

/// O(units + edges + rounds x launches).
Chain order_chain(const Effects& effects, const UnitGraph& graph, const ChainCut& cut);

std::size_t step_count(const Chain& chain);
/// Part of all blocks that run in the first phase: the others wait until all strips are done.
double share_of_first_phase(const Chain& chain);

}  // namespace gridspan::runtime::fuse
