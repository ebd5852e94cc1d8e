// A launch that the device refuses fails alone; what a kernel does wrong stays. Which of them the
// driver does is what driver_errors_test.py says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void add(int* a, int n) {
  const int i = global_x();
  if (i < n) a[i] += 1;
}

int main() {
  const int n = 1000, launches = 4;
  int* a = nullptr;
  CUDA_OK(cudaMalloc(&a, n * sizeof(int)));
  CUDA_OK(cudaMemset(a, 0, n * sizeof(int)));
  CUDA_OK(cudaDeviceSynchronize());
  int done = 0;
  for (int i = 0; i < launches; ++i) {
    add<<<blocks(n, 128), 128>>>(a, n);
    const cudaError_t begun = cudaGetLastError(), ended = cudaDeviceSynchronize();
    cudaGetLastError();
    if (begun || ended) std::printf("launch %d: %d %d\n", i, begun, ended);
    done += begun == cudaSuccess && ended == cudaSuccess;
  }
  vector<int> got(n);
  if (cudaMemcpy(got.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess)
    check::equal("sums of launches that went well", got, vector<int>(n, done));
  else
    std::printf("no results\n");
  return finish();
}
