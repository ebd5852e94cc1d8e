// Two launches that may become one kernel, in a library that may go while they are queued.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
using U = unsigned;

__global__ void library_scale(U* y, const U* x, U a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + 1;
}
__global__ void library_add(U* z, const U* x, const U* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + 3 * y[i];
}

extern "C" void launch_scale(U* t, const U* x, U a, int n) {
  library_scale<<<(n + 63) / 64, 64>>>(t, x, a, n);
}
extern "C" void launch_pair(U* t, const U* x, U* z, U a, int n) {
  launch_scale(t, x, a, n);
  library_add<<<(n + 63) / 64, 64>>>(z, x, t, n);
}
