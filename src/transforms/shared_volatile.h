// Volatile accesses of shared memory that may as well be plain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     s[t] = x;                        volatile: the lanes of a warp write, then they read
//     y = s[order[t]];
//
//     s[t] = x;  __syncwarp();         what is read was written before a sync point, and will be
//     y = s[order[t]];                 written after one
//     __syncwarp();
//
// Programs of before 2017 mean the former by `volatile`: lanes that go in step exchange numbers.
// Fibers keep that order. In the latter it makes no difference, as no other thread of the block
// acts between two sync points; CUB's radix sorts and scans are full of those.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

/// Whatever it may point to is shared memory of the block.
bool is_in_shared_memory(const llvm::Value& pointer);

/// Whatever it is, it may write shared memory of the block.
bool may_write_shared(const llvm::Instruction& instruction);

/// Between it and the next sync points, before and behind it, its kernel does not write to the
/// memory that it reads. Of shared memory; of other memory other blocks may still write there.
/// O(instructions between them).
bool reads_settled_memory(const llvm::LoadInst& load);

/// For kernels that do not run on fibers. Fibers and the interpreter have code of their own.
void make_shared_volatile_plain(llvm::Function& kernel);

}  // namespace gridspan::transforms
