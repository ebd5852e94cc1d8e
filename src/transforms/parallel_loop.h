// Tells LLVM that the threads of a region do not depend on each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// The loop over threads has this in its loop metadata, so that it is found again.
inline constexpr const char* thread_loop_mark = "gridspan.threads";

/// An attribute of functions that run whole kernels without barriers.
inline constexpr const char* without_barriers = "gridspan-without-barriers";

/// An attribute of functions that hardly ever run: they are no vectors.
inline constexpr const char* seldom_runs = "gridspan-seldom-runs";

/// Marks the loop whose latch is `latch` as parallel over all plain loads and stores to memory
/// other than the thread's own stack. Between two sync points threads of a program without data
/// races touch each other's memory only through atomics, which stay unmarked and so keep the loop
/// serial. Does nothing when a private variable's address escapes: private memory is reused by
/// every iteration and must not look parallel.
void mark_parallel(llvm::Function& region, llvm::BasicBlock& latch);

}  // namespace gridspan::transforms
