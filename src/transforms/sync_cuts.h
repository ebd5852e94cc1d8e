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
  std::uint32_t step = 0;  // its number (warp_steps/step_order.h); 0: it is something else
};

/// Splits blocks behind every sync point: its call ends `before`, but for the branch.
std::vector<Cut> split_at_sync_points(llvm::Function& kernel);

/// The call that ends `cut.before`.
llvm::CallInst& sync_call(const Cut& cut);

/// For regions: operands of sync points are stored where the scheduler looks for them
/// (BlockContext::sync_*), results are loaded at the start of the continuation. The edge from
/// `before` to `continuation` stays until the regions are built.
void lower_sync_points(llvm::ArrayRef<Cut> cuts);

/// This thread's entry of one of BlockContext's per-thread arrays; `array_field` is the byte offset
/// of the array's pointer in BlockContext.
llvm::Value* thread_entry_of(llvm::IRBuilder<>& builder, std::uint64_t array_field,
                             llvm::Type* element);

}  // namespace gridspan::transforms
