// Kernels that follow one another become one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     f(a, b, n): a[i] = 2 * b[i]                 f+g(a, b, n, c): x = 2 * b[i]; a[i] = x;
//     g(c, a, n): c[i] = a[i] + 1          ->                      c[i] = x + 1
//
// Each thread does what the threads of its index did, one after the other, without a barrier: who
// asks has proved that no thread needs what another one did (fusion/fusible.h), and launches it
// only where arguments of other numbers point to other memory. From then on LLVM sees one function:
// equal guards become one, and what was stored need not be loaded.
#pragma once

#include "transforms/kernels.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::transforms {

struct GluedKernel {
  llvm::Function* function;
  /// By argument, the parameter of the one kernel.
  std::vector<unsigned> values;
};

/// Why they cannot be one; of simplified kernels.
std::optional<std::string> why_not_glued(llvm::ArrayRef<GluedKernel> kernels);

/// The one kernel, called `name`. The kernels stay as they are. Bounds of launches are those that
/// all of them keep.
KernelDeclaration glue_kernels(llvm::ArrayRef<KernelDeclaration> declarations,
                               llvm::ArrayRef<GluedKernel> kernels, const std::string& name);

/// Removes what a simplified kernel writes to the array that parameter `number` points to. Why not,
/// if it may read some of that afterwards, or does something else with the pointer.
std::optional<std::string> drop_writes(llvm::Function& kernel, unsigned number);

}  // namespace gridspan::transforms
