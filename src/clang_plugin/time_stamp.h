// The name __rdtsc, which programs may give to a function of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Lex/Preprocessor.h"

namespace gridspan::clang_plugin {

/// Clang has a builtin of this name at any time, gcc a function of <x86intrin.h>: until that header
/// is entered, the name is free. To be called when clang has set its builtins.
void free_time_stamp(clang::Preprocessor& preprocessor);

}  // namespace gridspan::clang_plugin
