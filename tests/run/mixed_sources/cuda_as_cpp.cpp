// CUDA in a file whose name does not say so: compiled with -x cu.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void nothing(int* p) {
  if (p) *p = 1;
}
void unused() { nothing<<<1, 1>>>(nullptr); }
