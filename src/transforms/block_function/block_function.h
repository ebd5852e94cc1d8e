// One function that runs a whole block, barriers and all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/block_function/segments.h"
#include "transforms/regions.h"

#include <optional>

namespace gridspan::transforms {

struct BlockFunction {
  llvm::Function* function;            // void(BlockContext*, i32, i32 threads): all threads of it
  std::vector<llvm::Function*> loops;  // those over threads, always inlined into it
  std::uint64_t frame_bytes;           // per thread
};

/// The skeleton calls the segments, each a function with a loop over threads (always inlined, once
/// that loop is what it shall be). A barrier leaves nothing behind. Values that are the same for
/// all threads are computed once, in the skeleton, where that is possible; where one is found
/// inside a segment, it comes from there. Consumes `kernel`; the functions are named after `name`.
/// Nothing if a skeleton would need a value that it cannot have.
std::optional<BlockFunction> make_block_function(llvm::Function& kernel, Segments& segments,
                                                 const llvm::Twine& name);

}  // namespace gridspan::transforms
