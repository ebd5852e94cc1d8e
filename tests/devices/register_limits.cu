// Blocks that a device has no registers for are refused before anything runs, and the error passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void add(int* a, int n) {
  const int i = global_x();
  if (i < n) a[i] += i;
}

int main() {
  const int n = 5000;
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, add));
  const int most = attributes.maxThreadsPerBlock;
  Array<int> a(n);
  CUDA_OK(cudaMemset(a.data(), 0, n * sizeof(int)));
  int launches = 0;
  for (int threads : {64, 1024, 256, 512, 128}) {
    add<<<blocks(n, threads), threads>>>(a.data(), n);
    CHECK_EQ(cudaGetLastError(), threads <= most ? cudaSuccess : cudaErrorLaunchOutOfResources);
    CUDA_OK(cudaDeviceSynchronize());
    launches += threads <= most;
  }
  if (most < 1024) std::printf("at most %d threads\n", most);
  vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = launches * i;
  result("sums of refused and other launches", a, want);
  return finish();
}
