// One kernel in a module of its own, in the form in which a warp's accesses can be compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/warp_steps/places.h"

#include "llvm/ADT/SetVector.h"

#include <array>
#include <memory>

namespace gridspan::transforms {

struct UnfoldedKernel {
  std::unique_ptr<llvm::Module> module;
  llvm::Function* kernel;
};

/// A copy of `kernel` and what it reaches, for blocks of `shape`, or of any for {0, 0, 0}:
/// functions are inlined, variables are values, short loops around shared memory are unrolled.
UnfoldedKernel unfold(llvm::Function& kernel, const llvm::SetVector<llvm::Function*>& reached,
                      const Places& places, const std::array<std::uint32_t, 3>& shape);

}  // namespace gridspan::transforms
