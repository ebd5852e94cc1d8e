// Layout of the memory that keeps a thread's values while it waits at a sync point.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BlockContext::frames is structure-of-arrays: all threads' copies of one value lie side by side,
//
//     frames + offset(value) * padded_threads + t * size(value)
//
// so that a loop over threads reads and writes it with unit stride. So do elements of arrays where
// nobody sees the array as a whole (frame_arrays.h).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

struct FrameSlot {
  std::uint64_t offset;       // bytes per thread before this slot
  std::uint64_t size;         // bytes per thread, a multiple of the alignment
  std::uint64_t element = 0;  // bytes of each, where all threads' copies of an element lie together

  /// From one thread to the next.
  std::uint64_t stride() const { return element ? element : size; }
};

struct FrameLayout {
  llvm::MapVector<llvm::AllocaInst*, FrameSlot> slots;
  std::uint64_t bytes = 0;  // per thread
};

/// Places the given stack variables, largest alignment first.
FrameLayout lay_out_frame(llvm::ArrayRef<llvm::AllocaInst*> variables);

}  // namespace gridspan::transforms
