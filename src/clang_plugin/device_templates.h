// Templates that only devices run, without their bodies in the host pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #ifdef __CUDA_ARCH__
//     __device__ float least(float* at, float value) { ... }
//     #endif
//     template <class T> __global__ void kernel(T* a) { least(a, T(1)); }
//
// nvcc's host compiler never makes functions of such templates, so what they call need not exist
// there. Clang does, to check them.
#pragma once

#include "clang/AST/DeclGroup.h"
#include "clang/Sema/Sema.h"

namespace gridspan::clang_plugin {

/// Empties the bodies of kernels and device functions that are templates, or members of such. Of
/// what was read last, before functions are made of it. What a body decides otherwise stays: a type
/// that is deduced, the value of a constant expression.
void empty_device_templates(clang::Sema& sema, clang::DeclGroupRef read);

}  // namespace gridspan::clang_plugin
