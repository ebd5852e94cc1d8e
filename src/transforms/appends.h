// Threads draw numbers for what they append to an array: many at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for each thread                             n = 0
//       ...                                       for each thread
//       next[atomicAdd(count, 1)] = x     =>        ...
//                                                   mine[n++] = x; if (n == 256) flush
//                                                 flush
//
//     flush:  first = atomicAdd(count, n);  next[first + j] = mine[j] for all j < n;  n = 0
//
// Cores that count in one place wait for each other at every update. Who gets which number is
// nobody's business, so the threads of a block put what they have in a list and draw for all of it.
// Only where nothing else in the kernel looks at the counter or the array: that is known of kernels
// whose arguments are distinct (distinct_arguments.h).
#pragma once

#include "llvm/IR/Instructions.h"

#include <optional>

namespace gridspan::transforms {

/// An update whose old value is the place of what its own block of code stores, and nothing else.
struct Append {
  llvm::AtomicRMWInst* update;
  llvm::SmallVector<llvm::StoreInst*, 2> stores;  // in their order
};

std::optional<Append> find_append(llvm::AtomicRMWInst& update);

/// Nothing else in the kernel reads or writes what the append does.
void mark_append(llvm::AtomicRMWInst& update);
bool has_marked_appends(llvm::Function& function);

/// Rewrites what is marked in a function that runs threads one after the other.
void gather_appends(llvm::Function& region);

}  // namespace gridspan::transforms
