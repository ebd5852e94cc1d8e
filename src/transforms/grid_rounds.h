// Loops in which a grid goes over an array, as loops over rounds of all threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) body(i)
//
// Thread by thread, or vector by vector, that reads a line of a page, then one of the next page the
// grid comes to: CPUs prefetch none of it. Where such a loop is all that a kernel does, threads
// need not finish one after the other. A row of threads does its first round, then its next:
//
//     for (round = 0; start(thread 0) + round < n; round += step)
//       for each thread of the row: i = start(thread) + round, if (i < n) body(i)
//
// Nothing but `i` may live from one round to the next, since that would have to be kept for each
// thread.
#pragma once

#include "transforms/region_writer.h"

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// There is such a loop in a simplified kernel without sync points.
bool has_grid_rounds(llvm::Function& kernel);

/// Leaves one round of it; which one, a marker tells. False: there is none, and the kernel is as it
/// was.
bool take_out_grid_rounds(llvm::Function& kernel);

/// The kernel is one round of such a loop.
bool is_grid_round(const llvm::Function& kernel);

/// Writes the loop over rounds around the loop over threads of the kernel's region. Where numbers
/// might wrap, `ordinary` runs the row's threads, another region of the kernel as it was.
void write_grid_rounds(RegionWriter& region, llvm::Function& ordinary);

}  // namespace gridspan::transforms
