// Neighbouring blocks as one large block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads know their place along x only as blockIdx.x * blockDim.x + threadIdx.x, nobody can
// tell where a block ends: `k` neighbours of width w are one block of width k * w at the first
// one's place. Its rows are long: memory is read along them, page by page, before the next row, and
// neither the set conflicts of narrow blocks (rows 4096 bytes apart) nor the cost of starting each
// are left.
//
// The same goes for y. It is of use where threads of one column load the same in their loops: with
// many rows in a block it is loaded for many of them at once (vectorise/rows.h), and what lies
// scattered over pages is worth being copied to one place first (vectorise/panels.h).
#pragma once

#include "llvm/IR/Function.h"

#include <cstdint>

namespace gridspan::transforms {

struct JoinedBlocks {
  std::uint32_t threads = 0;  // abi::BlockForm::joined_threads
  std::uint32_t width = 0;    // abi::BlockForm::joined_width
  std::uint32_t rows = 0;     // abi::BlockForm::joined_rows
  std::uint32_t height = 0;   // abi::BlockForm::joined_height
};

/// Asked for by a search instead of what the compiler thinks best (0).
struct JoinSizes {
  std::uint32_t width = 0, height = 0;  // threads in a row; rows
};

/// For a simplified kernel without sync points: decides, and then takes what LLVM knew of
/// threadIdx in one block out of its arithmetic.
JoinedBlocks join_blocks(llvm::Function& kernel, const JoinSizes& wanted = {});

}  // namespace gridspan::transforms
