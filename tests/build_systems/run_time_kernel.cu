// A kernel that is compiled to PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" __global__ void fill_too(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * i + 1;
}
