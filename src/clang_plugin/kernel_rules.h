// What nvcc does not let be a kernel, and clang does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Sema/Sema.h"

namespace gridspan::clang_plugin {

void check_kernel(clang::Sema& sema, const clang::FunctionDecl& kernel);

}  // namespace gridspan::clang_plugin
