// Asks for what later rounds of a thread's own loop will load.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/vectorise/thread_body.h"

namespace gridspan::transforms {

/// In `for (i = ...; i < n; i += gridDim.x * blockDim.x)` each round of a vector of threads reads a
/// page of its own, which the CPU's prefetchers do not follow. The number the subscript of `load`
/// grows by, if it is unknown or large; null: it is small, or there is none.
llvm::Value* far_step(const llvm::LoadInst& load, const ThreadBody& body,
                      const llvm::LoopInfo& loops);

}  // namespace gridspan::transforms
