// Neighbouring blocks along x as one wide block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads know their place along x only as blockIdx.x * blockDim.x + threadIdx.x, nobody can
// tell where a block ends: `k` neighbours of width w are one block of width k * w at the first
// one's place. Its rows are long: memory is read along them, page by page, before the next row, and
// neither the set conflicts of narrow blocks (rows 4096 bytes apart) nor the cost of starting each
// are left.
#pragma once

#include "llvm/IR/Function.h"

#include <cstdint>

namespace gridspan::transforms {

struct JoinedBlocks {
  std::uint32_t threads = 0;  // abi::Kernel::joined_threads
  std::uint32_t width = 0;    // abi::Kernel::joined_width
};

/// For a simplified kernel without sync points: decides, and then takes what LLVM knew of
/// threadIdx.x in one block out of its arithmetic.
JoinedBlocks join_blocks(llvm::Function& kernel);

}  // namespace gridspan::transforms
