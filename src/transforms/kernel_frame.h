// Moves what must outlive a piece of a kernel into the frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/region_writer.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace gridspan::transforms {

struct FramedKernel {
  KernelFrame frame;
  std::vector<SlotSet> live;  // for each piece: the slots that it starts with
};

/// `pieces` are the blocks of the functions that the kernel becomes, each with its entry first; the
/// first piece begins the kernel and runs once. Values that live into the others are computed again
/// where that is cheap, else kept, but for those `at_hand` everywhere. A variable
/// that `is_shared` is in the frame in any case, for others to see.
FramedKernel frame_values(llvm::Function& kernel, llvm::ArrayRef<RegionBlocks> pieces,
                          llvm::function_ref<bool(const llvm::Value*)> at_hand,
                          llvm::function_ref<bool(const llvm::AllocaInst*)> is_shared);

}  // namespace gridspan::transforms
