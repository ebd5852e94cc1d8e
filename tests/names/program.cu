// A program with a kernel of its own, beside what `compute` has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

#include "check_compute.h"

extern "C" int compute(float* out, const float* in, int n);

__global__ void twice(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  constexpr int n = 777;
  int host[n], *device;
  for (int i = 0; i < n; ++i) host[i] = i - 3;
  if (cudaMalloc(&device, sizeof host) ||
      cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice)) {
    return puts("no memory"), 1;
  }
  twice<<<8, 100>>>(device, n);
  if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost)) return puts("no copy"), 1;
  for (int i = 0; i < n; ++i) {
    if (host[i] != 2 * (i - 3)) return printf("host[%d] is %d\n", i, host[i]), 1;
  }
  return check_compute(compute);
}
