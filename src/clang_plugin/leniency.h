// Errors of clang's that nvcc only warns of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Basic/Diagnostic.h"

namespace gridspan::clang_plugin {

/// Makes them warnings. They share their names (-Wc++11-narrowing, -Wreturn-mismatch) with what
/// nvcc refuses, so flags cannot do it: narrowing in a list is taken, of a template argument, an
/// enumerator or a case it is not.
void warn_only(clang::DiagnosticsEngine& engine);

}  // namespace gridspan::clang_plugin
