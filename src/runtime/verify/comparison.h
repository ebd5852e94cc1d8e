// Compares what the blocks of a launch touched with what the model says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is compared in bytes of the program's memory, so arguments that alias need no care.
//
//   contained   every byte read (written, ...) lies in some footprint of that kind
//   equal       an exact footprint holds only bytes that were touched so; must-writes always
//   injective   along a legal axis, blocks in different groups write different bytes
//
// First for every block, then for boxes of blocks: a footprint may be right for one and wrong for
// the other.
#pragma once

#include "runtime/verify/bound_model.h"
#include "runtime/verify/difference.h"
#include "runtime/verify/recorder.h"

#include <functional>
#include <memory>
#include <vector>

namespace gridspan::runtime::verify {

/// The blocks of a launch that were recorded, by number.
struct Recorded {
  std::vector<BlockRecord> blocks;  // those that touched anything, in order
  /// Was block `number` recorded? Those that were and are not in `blocks` touched nothing.
  std::function<bool(std::uint64_t number)> is_sampled = [](std::uint64_t) { return true; };
};

/// `seed` chooses the parts.
Findings compare(const Launch& launch, const Recorded& recorded, std::uint64_t seed);

/// Boxes of blocks worth a look: the grid, halves along each axis, and random boxes.
std::vector<Box> choose_parts(const abi::Dim& grid, std::uint64_t seed);

}  // namespace gridspan::runtime::verify
