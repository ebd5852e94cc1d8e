// Calls of borrowed functions that nvcc refuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In host code: a call that somebody wrote, other than in an instance of a template, where nvcc
// does not look, or of a constructor that makes a base or a member in place, or a value that is
// passed or returned, or that a conversion needs which nobody wrote. In device code that
// is used: a constructor, destructor, assignment or function of the host's that a device function
// or kernel calls, or a member that nobody wrote and only device code uses. nvcc has such a member
// for both sides if both use it, or if it overrides a destructor.
#pragma once

#include "clang/Sema/Sema.h"

namespace gridspan::clang_plugin {

/// At the end of the source.
void check_borrowed_calls(clang::Sema& sema);

}  // namespace gridspan::clang_plugin
