// Threads that return before a barrier, or a warp operation, others come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU's barrier waits for the threads that are still there. Here a return becomes a note of who
// is there, and a cut: what follows, to the end of the kernel, is for those only.
//
//     if (i >= n) return;                 there[t] = i < n
//     s[t] = in[i];                       ---- cut; with nobody there, the block is done
//     __syncthreads();           ───►     if (there) s[t] = in[i]
//     out[i] = s[t ^ 1];                  ---- barrier
//                                         if (there) out[i] = s[t ^ 1]
//
// The tests belong to segments (segments.h), not to the kernel's branches: for all else, threads
// that are gone come along, so what the others find alike stays the skeleton's.
#pragma once

#include "transforms/sync_cuts.h"

#include "llvm/IR/Instructions.h"

#include <optional>
#include <vector>

namespace gridspan::transforms {

/// A cut at which threads leave.
struct Departure {
  llvm::BasicBlock* continuation;
  llvm::Value* stays;  // i1, of threads that come to it
};

struct EarlyReturns {
  llvm::AllocaInst* there = nullptr;  // i8, per thread; null: nobody returns early
  std::vector<Departure> departures;
  std::optional<Reason> obstacle;
};

/// Makes departures of returns that some threads of a block may take before a barrier others come
/// to, or lanes of a warp before its operations, and adds their cuts. Expects one way out, and ways
/// from everywhere to it.
EarlyReturns take_out_early_returns(llvm::Function& kernel, std::vector<Cut>& cuts);

}  // namespace gridspan::transforms
