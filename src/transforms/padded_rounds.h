// The last rounds of a loop over tiles, that add nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     as[ty][tx] = m * 16 + tx < n ? a[...] : 0     a tile's rest, behind the end of the data
//     for (k < 16) sum += as[ty][k] * bs[k][tx]     adds 0 * 0 there
//
// So these rounds can be left out, but for one thing: -0.0 + 0.0 is 0.0. (A sum that begins with
// 0.0 may become -0.0 where a fused product underflows.) If there are some, 0.0 is added at the
// end.
//
// Until it is known which rounds these are, what is read there stands in a call, `zero_outside(i,
// value)`: the value, read only where the condition holds, else zero.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace gridspan::transforms {

llvm::CallInst* write_zero_outside(llvm::IRBuilder<>& builder, llvm::Value* condition,
                                   llvm::Value* value);
bool is_zero_outside(const llvm::Value& value);

/// Some of a nest's inner rounds, taken as those of one loop, are the last ones and add nothing.
struct PaddedRounds {
  const llvm::SCEV* first = nullptr;  // of them, not 0; i64
  llvm::SmallVector<llvm::CallInst*> calls;
  llvm::SmallVector<llvm::Instruction*> sums;  // as the last round leaves them
};

/// For an inner loop of `rounds`, whose header's phis besides counters are `carried`. No calls:
/// there is no such thing in it. Nothing: there is, but not of this kind.
std::optional<PaddedRounds> find_padded_rounds(const llvm::Loop& outer, const llvm::Loop& inner,
                                               unsigned rounds,
                                               llvm::ArrayRef<llvm::PHINode*> carried,
                                               llvm::ScalarEvolution& evolution);

/// The one loop ends at the first of them; `were_there` says whether there are any.
void leave_out(const PaddedRounds& padded, const llvm::Loop& inner, llvm::Value* were_there);

}  // namespace gridspan::transforms
