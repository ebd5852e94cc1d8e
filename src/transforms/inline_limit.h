// Keeps kernels that would become huge from swallowing the arithmetic they call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     x = narrow(widen(x) * widen(a));   thousands of them     ►  calls of widen and narrow stay
//     calls
//
// Device functions are inlined, those of our headers always. A kernel with thousands of operations
// on numbers that the CPU lacks (`__half`) would be a function of hundreds of thousands of
// instructions, for which LLVM's optimisations take minutes: turning stack variables into values
// goes through all blocks for each.
#pragma once

#include "transforms/kernels.h"

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Instructions, as clang writes them.
constexpr std::uint64_t usual_kernel_limit = 100'000;

/// A kernel, and the functions that stay of those that it would have swallowed.
struct KeptCalls {
  llvm::Function* kernel;
  std::vector<llvm::Function*> functions;
};

/// In kernels that would have more than `limit` instructions once all is inlined, functions that
/// only compute numbers out of numbers stay functions: first those that would make up most. Comes
/// before inlining. Kernels that call such functions, even if they are small themselves.
std::vector<KeptCalls> limit_inlining(llvm::Module& module,
                                      llvm::ArrayRef<KernelDeclaration> kernels,
                                      std::uint64_t limit = usual_kernel_limit);

}  // namespace gridspan::transforms
