// Device variables that would need code to run before anybody reads them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     struct S { int x; __host__ __device__ S() : x(7) {} };
//     __device__ S one;            refused by clang
//     __device__ S some[2] = {};   taken, and zero
//
// clang asks whether the initialiser is constant, but not about the elements of arrays that it does
// not name, nor about destructors of arrays. Both are errors here, in clang's own words; nvcc
// refuses them, too. Constructors and destructors that do nothing are allowed, as in CUDA.
#pragma once

#include "clang/Sema/Sema.h"

namespace gridspan::clang_plugin {

/// At the end of the source.
void check_device_variables(clang::Sema& sema);

}  // namespace gridspan::clang_plugin
