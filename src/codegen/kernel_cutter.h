// From one simplified kernel to all its code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/block_forms.h"
#include "codegen/kernel_code.h"
#include "transforms/kernels.h"

namespace gridspan::codegen {

/// Consumes the kernel: writes its thread entry and, unless it needs fibers, its regions and forms,
/// and notes what descriptors and facts say of it. `code` has its name already.
void cut_kernel(const transforms::KernelDeclaration& declaration, llvm::TargetMachine& target,
                const FormOptions& options, KernelCode& code);

}  // namespace gridspan::codegen
