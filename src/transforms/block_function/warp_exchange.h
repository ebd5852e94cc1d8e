// Warp operations as code: what one lane of a whole warp sends, others get through the frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     v = shfl(x, ...)          segment:   in[t] = x
//                               skeleton:  out[w ... w + 31] = shuffle of in[w ... w + 31]
//                               segment:   v = out[t]
//
// All lanes that are there come to the operation together, so their masks matter to votes only. Who
// asks a lane that has returned keeps its own value, as where threads run one by one.
#pragma once

#include "transforms/block_function/uniform_values.h"
#include "transforms/diagnostics.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace gridspan::transforms {

struct Cut;

/// Why the warp operation has no such code.
std::optional<Reason> why_no_exchange(const Cut& cut);

/// The instruction is a warp operation with the same result for all lanes, given that `sent_lane`
/// is the same for all.
bool gives_all_lanes_one(const llvm::Instruction& instruction);
const llvm::Value* sent_lane(const llvm::Instruction& instruction);

/// One warp operation, taken out of the kernel.
struct WarpExchange {
  abi::SyncKind kind;
  llvm::AllocaInst* in = nullptr;     // i32 or float; per thread, like all of these
  llvm::AllocaInst* mask = nullptr;   // votes with a mask that is not -1
  llvm::AllocaInst* lanes = nullptr;  // shuffles whose lane operand differs from lane to lane
  llvm::Value* lane = nullptr;        // else: that operand
  std::uint32_t clamp = 0;            // PTX `c` operand
  llvm::AllocaInst* out = nullptr;
  llvm::AllocaInst* flag = nullptr;     // i32
  llvm::Instruction* result = nullptr;  // stands for what all lanes get, instead of `out`
  llvm::Instruction* same = nullptr;    // from `out`, but the same for all lanes
};

/// Puts stores before and loads behind the cut in the operation's place. `stays_inside`: nobody
/// outside the warps' skeleton uses the value.
WarpExchange take_out(const Cut& cut, const UniformValues& in_warp,
                      llvm::function_ref<bool(const llvm::Instruction&)> stays_inside);

/// Writes the exchange for one warp, of the lanes that are `there` (i1; null: all are). `of_warp`
/// gives the address of the first thread's entry. Returns what all lanes get, if they get one
/// value.
llvm::Value* write_exchange(llvm::IRBuilder<>& builder, const WarpExchange& exchange,
                            llvm::Value* lane, llvm::Value* there,
                            llvm::function_ref<llvm::Value*(llvm::AllocaInst*)> of_warp);

}  // namespace gridspan::transforms
