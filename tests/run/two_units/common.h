// What both translation units share: a template kernel and an inline function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
template <class T>
__global__ void common_kernel(T* out, T value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__device__ inline int common_function(int x) {
  static const int table[3] = {5, 6, 7};
  return table[x % 3];
}
__global__ void defined_in_second(int* out);
std::vector<int> run_first(int n);
std::vector<int> run_second(int n);
