// Recognises the calls at which threads of a block or warp meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/sync.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace gridspan::transforms {

/// A barrier or warp operation with its operands sorted out. Unused operands are null.
struct SyncPoint {
  llvm::CallInst* call;
  abi::SyncKind kind;
  llvm::Value* mask = nullptr;   // i32
  llvm::Value* value = nullptr;  // i1, i32, i64, float or pointer
  llvm::Value* lane = nullptr;   // i32
  llvm::Value* clamp = nullptr;  // i32
};

std::optional<SyncPoint> as_sync_point(llvm::Instruction& instruction);

/// `value` as the 64 bits that travel in BlockContext::sync_value.
llvm::Value* to_sync_bits(llvm::IRBuilderBase& builder, llvm::Value* value);

/// The result of `point`'s call, from the 64 bits (and, where the call returns a pair, the flag)
/// the run time left.
llvm::Value* from_sync_result(llvm::IRBuilderBase& builder, const SyncPoint& point,
                              llvm::Value* bits, llvm::Value* flag);

/// bar.sync id, count (0: all threads of the block), or bar.arrive.
void numbered_barrier(llvm::IRBuilderBase& builder, llvm::Value* id, llvm::Value* count,
                      bool arrives);

/// The call yields a value that `from_sync_result` must build.
inline bool has_result(const SyncPoint& point) { return !point.call->getType()->isVoidTy(); }

/// The call yields { value, predicate }.
inline bool has_flag(const SyncPoint& point) { return point.call->getType()->isStructTy(); }

}  // namespace gridspan::transforms
