// Tiles of shared memory that only hold what the cache holds anyway.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU program copies a tile of a matrix to shared memory because that is near. On a CPU all
// memory that was read a moment ago is near, and the copies, the barriers around them and the
// places for values across these cost more than they save. So `as[ty][k]` becomes what the thread
// (k, ty) has read, `a[row * n + m * 16 + k]`, and barriers that guard nothing else go.
//
// "Shared staging read through"; compare Polygeist-CPU §III-A, whose barriers go for the same
// reason: no other thread touches what crosses them.
#pragma once

#include "llvm/IR/Function.h"

#include <array>
#include <cstdint>

namespace gridspan::transforms {

struct ReadThrough {
  llvm::Function* kernel = nullptr;      // null: the kernel is not one of that kind
  std::array<std::uint32_t, 3> block{};  // blockDim it is for; 0: any
  bool is_small = false;                 // it is for arrays of less than 2 GiB only
};

/// A copy of a simplified kernel without shared memory and barriers, for launches whose pointer
/// arguments point to different arrays: nobody may write what tiles are copies of.
ReadThrough copy_reading_through(llvm::Function& kernel);

}  // namespace gridspan::transforms
