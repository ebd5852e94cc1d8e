// Loops over threads that end where a quotient of the thread's number changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = 0; i < run; ++i)               for (done = 0; done < run; done += length)
//       row = (first + i) / width        =>     row = (first + done) / width
//       column = (first + i) % width            column = (first + done) % width
//       a[row * pitch + column] = ...           length = min(run - done, width - column)
//                                               for (i = 0; i < length; ++i)
//                                                 a[row * pitch + (column + i)] = ...
//
// Kernels number the elements of an array of several dimensions through. Within a row of it the
// quotient is the same for all threads, and neighbours have neighbouring elements: they are lanes
// of vectors, and nobody divides but once a row. What is divided further (planes, batches) ends
// rows, too. Where a number would wrap, or is negative, a row is one thread. If a divisor turns out
// to be less than 2, the loop runs as it was.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Expects tidy loops. Returns whether it changed the region's loop over threads.
bool divide_into_rows(llvm::Function& region);

}  // namespace gridspan::transforms
