// Splits a kernel's blocks at its sync points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/sync.h"
#include "transforms/diagnostics.h"

#include "llvm/IR/IRBuilder.h"

#include <vector>

namespace gridspan::transforms {

/// Where the kernel is cut: control leaves `before` for a sync point and goes on at `continuation`.
struct Cut {
  llvm::BasicBlock* before;
  llvm::BasicBlock* continuation;
  abi::SyncKind kind;
  SourceLine where;
};

/// Cuts at every sync point, in order: its operands are stored where the scheduler looks for them
/// (BlockContext::sync_*), its result is loaded at the start of the continuation. The edge from
/// `before` to `continuation` stays until the regions are built.
std::vector<Cut> cut_at_sync_points(llvm::Function& kernel);

/// This thread's entry of one of BlockContext's per-thread arrays; `array_field` is the byte offset
/// of the array's pointer in BlockContext.
llvm::Value* thread_entry_of(llvm::IRBuilder<>& builder, std::uint64_t array_field,
                             llvm::Type* element);

}  // namespace gridspan::transforms
