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

/// Who else keeps a kernel's values.
struct ValuesElsewhere {
  /// Some pieces, all that use the value, have it from elsewhere.
  llvm::function_ref<bool(const llvm::Value*)> at_hand;
  /// Every piece can have it.
  llvm::function_ref<bool(const llvm::Value*)> everywhere;
  /// The variable is in the frame in any case, for others to see.
  llvm::function_ref<bool(const llvm::AllocaInst*)> is_shared;
};

/// `pieces` are the blocks of the functions that the kernel becomes, each with its entry first; the
/// first piece begins the kernel and runs once. Values that live into the others are computed again
/// where that is cheap, else kept.
FramedKernel frame_values(llvm::Function& kernel, llvm::ArrayRef<RegionBlocks> pieces,
                          const ValuesElsewhere& elsewhere);

}  // namespace gridspan::transforms
