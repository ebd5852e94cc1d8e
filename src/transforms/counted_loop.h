// The innermost loop over threads, as thread_loop.h builds it and tidying leaves it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace gridspan::transforms {

/// `do { ... } while (index + 1 < bound)` with index, an i32, from 0; nothing leaves it but memory.
struct CountedLoop {
  llvm::Loop* loop;
  llvm::PHINode* index;
  llvm::ICmpInst* test;
  unsigned bound_operand;  // of the test

  llvm::Value* bound() const { return test->getOperand(bound_operand); }
  /// `value` is the index, if need be by a mask that takes nothing away.
  bool is_index(const llvm::Value* value) const;
};

/// The body sees the index and its successor moved on by `by`, an i32; nothing wraps. The test does
/// not.
void move_index(const CountedLoop& counted, llvm::Value* by);

/// The loop over threads among `loops`, if it is one.
std::optional<CountedLoop> find_counted_loop(llvm::LoopInfo& loops);

}  // namespace gridspan::transforms
