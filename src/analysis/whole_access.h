// Accesses that must go over in one piece.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors loaded and stored by ld.cg and st.cg carry flags beside values from block to block (CUB's
// scans), so no half of one may ever be seen. They are volatile, which keeps LLVM from taking
// them apart, and marked, since nothing else about them is volatile: most are hints for a cache.
// What is no vector carries flags as well; it is marked, and plain.
#pragma once

#include "llvm/IR/Instruction.h"

namespace gridspan::analysis {

inline constexpr const char* whole_access_mark = "gridspan.whole";

/// It goes past the cache that a block has for itself, so others may watch it.
inline bool is_whole_access(const llvm::Instruction& access) {
  return access.hasMetadata(whole_access_mark);
}

/// Volatile because the program says so.
inline bool is_really_volatile(const llvm::Instruction& access) {
  return access.isVolatile() && !access.hasMetadata(whole_access_mark);
}

}  // namespace gridspan::analysis
