// What all rows of threads load in an inner loop, copied to one place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a matrix product the threads of a column walk down a column of `b`: each step is a row of it
// further, in another page, and if rows are a power of two long, in the same few lines of every
// cache. The first group of rows that comes along copies what two or three neighbouring vectors
// load, step by step, to a *panel* (abi::BlockContext::panel); the groups below it read that one.
//
//     before:                          after:
//                                        if (panel is not of this loop)
//                                          for (k = 0; k < rounds; ++k) panel[k] = first[k * step]
//     for (k = 0; k < rounds; ++k)       for (k = 0; k < rounds; ++k)
//       use(first[k * step])               use(panel[k])
//
// Threads of different rows run in no order, so each may read what was there when the first one
// came along, as long as it stored nothing itself before. (Goto and van de Geijn, "Anatomy of
// High-Performance Matrix Multiplication", 2008, pack such panels by hand.)
#pragma once

#include "transforms/vectorise/row_code.h"

namespace gridspan::transforms {

/// Fewer rows in a block are not worth copying for.
inline constexpr unsigned least_panel_rows = 16;

inline constexpr std::uint64_t bytes_of_line = 64;  // of the cache

/// A load to be copied: round `k` of `rounds` reads a vector at `first + k * step`. The values are
/// there at the end of `preheader`.
struct PanelLoad {
  llvm::LoadInst* load;
  llvm::BasicBlock *preheader, *header, *latch;
  llvm::Value *first, *step, *rounds;  // ptr; i64 bytes; i64
};

/// Finds them in the code of one vector and computes their values there.
std::vector<PanelLoad> find_panels(const RowVectors& vectors, const RowCode& code);

/// Where a panel is, and what makes it good.
struct Panels {
  llvm::Value *memory, *bytes, *run;  // of abi::BlockContext, at the function's entry
  std::vector<PanelLoad> loads;
};

/// Between barriers a block may write what it reads again, so what was copied is good for one call
/// of the function; without any, for all blocks of a launch that the thread runs.
Panels begin_panels(llvm::Function& function, std::vector<PanelLoad> loads);

/// One panel's place in the code of a group: what its vectors load, and by which step.
struct PanelSource {
  std::vector<llvm::Value*> first;  // of each vector that goes along
  llvm::Value* step;                // i64 bytes
};

/// Writes, at the end of the builder's block, the test and the copying. `source`: what was loaded
/// so far; `rounds`; `number`: of so many loads; `strip`, `strips`: which group of vectors of so
/// many in a row. The builder goes on in another block.
PanelSource write_panel(llvm::IRBuilder<>& builder, const Panels& panels, unsigned number,
                        const PanelSource& source, llvm::Value* rounds, llvm::Value* strip,
                        llvm::Value* strips, llvm::Value* rows);

/// Asks for what is read a few rounds after `place`: panels are larger than the nearest cache, and
/// its own prefetcher stops at the end of each page. 1024 x 1024: 0.97 of the time.
void prefetch_from_panel(llvm::IRBuilder<>& builder, llvm::Value* place, llvm::Value* step);

}  // namespace gridspan::transforms
