// Atomic operations that order nothing else, though they are written as if they did.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Those of inline PTX stay where they are among other accesses, as the clobbered memory of an asm
// statement asks; by themselves they are relaxed. What .release asks for is a fence beside them.
#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

namespace gridspan::analysis {

inline constexpr const char* relaxed_mark = "gridspan.relaxed";

inline void mark_relaxed(llvm::Instruction& access) {
  access.setMetadata(relaxed_mark, llvm::MDNode::get(access.getContext(), {}));
}
inline bool is_relaxed(const llvm::Instruction& access) { return access.hasMetadata(relaxed_mark); }

}  // namespace gridspan::analysis
