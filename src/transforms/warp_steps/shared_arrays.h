// Arrays of shared memory, and accesses that other lanes may see, in code as clang wrote it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

bool is_shared_array(const llvm::Value* value);

/// All dynamic shared memory begins at one place, whatever it is called.
const llvm::GlobalVariable& named_array(const llvm::GlobalVariable& array);

/// One piece of memory that an instruction reads or writes.
struct MemoryAccess {
  const llvm::Value* address = nullptr;
  std::uint64_t bytes = 0;  // 0: of varying number
  bool reads = false, writes = false;
  bool is_atomic = false;  // others of these and it are never in each other's way
  const llvm::Constant* stored = nullptr;
};

/// At most two: a copy reads and writes. None of memory that is known to be the thread's
/// own, or constant.
llvm::SmallVector<MemoryAccess, 2> visible_accesses(const llvm::Instruction& instruction);

}  // namespace gridspan::transforms
