// What each object of kernels.cu defines, in a namespace named after its settings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

struct Kernels {
  void (*product)(dim3 grid, dim3 block, const float* a, const float* b, float* c, int rows,
                  int columns, int depth);
  void (*stencil)(dim3 grid, dim3 block, const float* in, float* out, int w, int h);
  void (*stride)(dim3 grid, dim3 block, int n, float factor, const float* in, float* out);
  void (*sums)(dim3 grid, dim3 block, const int* in, int* out, int n);
};
