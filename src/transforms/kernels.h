// Which functions of a device module are kernels, and what their declarations promise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace gridspan::transforms {

/// A __global__ function and its __launch_bounds__ (0 = not given).
struct KernelDeclaration {
  llvm::Function* function;
  std::uint32_t max_threads = 0;
  std::uint32_t min_blocks = 0;
};

/// Reads !nvvm.annotations, in order of definition.
std::vector<KernelDeclaration> find_kernels(llvm::Module& module);

/// Functions `root` may reach: through direct calls, and, if anything reachable calls through a
/// pointer, every function whose address is taken. Includes `root`.
llvm::SetVector<llvm::Function*> reachable_functions(llvm::Function& root);

}  // namespace gridspan::transforms
