// Vectors of several registers, where threads take turns in short loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * x[i]
//
// A vector of eight walks through the whole array before the next one does, each in steps of many
// cache lines, and each round waits for the sum of the round before. Several vectors together read
// whole lines and have a sum each.
//
//     for (i = first; i < n; i += gridDim.x * blockDim.x) sum += a[i]
//
// Where each round is in another page, rows of threads are as wide as registers hold sums: what a
// round reads, up to a KiB, is long enough to be a stream for the CPU's prefetchers. Memory is
// slower than these, if the array is large: then code of its own asks for all lines.
#pragma once

#include "transforms/vectorise/in_front.h"
#include "transforms/vectorise/vectorise.h"

#include <vector>

namespace gridspan::transforms {

struct WideVectors {
  unsigned lanes;
  /// Those for arrays that no cache holds read all lines of far iterations ahead; elsewhere that
  /// would take time only. Taken where `elements` is more than so many; null: of arrays of any
  /// size.
  llvm::Value* elements = nullptr;
  std::uint64_t large = 0;
};

/// Those that are worthwhile beside those that there are, the best ones last. `shapes`: of the
/// fastest version.
std::vector<WideVectors> find_wide_vectors(const ThreadBody& body, const llvm::LoopInfo& loops,
                                           const Shapes& shapes, const Vectors& vectors,
                                           unsigned lanes);

/// Runs rows of threads that are whole wide vectors, in front of what runs others; a vector that
/// breaks an assumption goes on with narrow ones. Returns the stack variables it made.
std::vector<llvm::AllocaInst*> write_wide_vectors(const ThreadBody& body,
                                                  const llvm::LoopInfo& loops, const Shapes& shapes,
                                                  const NarrowVectors& narrow,
                                                  const WideVectors& wide);

}  // namespace gridspan::transforms
