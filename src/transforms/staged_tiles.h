// Tiles of shared memory that are copies of something else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     as[ty][tx] = a[row * n + m * 16 + tx];      fill: each thread its own element
//     __syncthreads();
//     for (k...) sum += as[ty][k] * ...           use: what the thread (k, ty) has stored
//
// A fill may have a guard: `as[ty][tx] = row < n ? a[...] : 0`.
//
// A use is described by the thread that stored what it reads: an expression for each axis. That
// thread exists, and no other one stored there, in blocks of one shape only.
#pragma once

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gridspan::transforms {

struct TileUse {
  llvm::LoadInst* load;
  /// threadIdx of the thread that stored it, i64; null: the thread's own.
  std::array<const llvm::SCEV*, 3> thread{};
};

struct StagedTile {
  llvm::StoreInst* fill = nullptr;
  llvm::LoadInst* source = nullptr;  // what the fill stores
  llvm::PHINode* guarded = nullptr;  // or that, which is zero where threads do not load:
  llvm::SmallVector<llvm::BranchInst*, 2> guards;  // who fails one of these; the last is met first
  std::vector<TileUse> uses;
};

struct StagedTiles {
  std::vector<StagedTile> tiles;
  std::array<std::uint32_t, 3> block{};  // blockDim it holds for; 0: any
};

/// All static shared memory of a simplified kernel, if each array of it is such a tile.
std::optional<StagedTiles> find_staged_tiles(llvm::Function& kernel,
                                             llvm::ScalarEvolution& evolution);

}  // namespace gridspan::transforms
