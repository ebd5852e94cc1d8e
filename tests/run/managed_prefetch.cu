// Hints about managed memory change no values: prefetches and advice, of parts, in streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Host memory functions | prefetches and advice between uses of managed memory by host and kernels
#include "check.h"

__global__ void step(const int* in, int* out, int n, int by) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = 3 * in[i] + by;
}

int main() {
  const int n = 100003, turns = 6;
  int *a, *b;
  CUDA_OK(cudaMallocManaged(&a, n * sizeof(int)));
  CUDA_OK(cudaMallocManaged(&b, n * sizeof(int)));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  int device = -1;
  CUDA_OK(cudaGetDevice(&device));
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) a[i] = want[i] = i % 1009 - 500;
  CUDA_OK(cudaMemAdvise(a, n * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
  CUDA_OK(cudaMemAdvise(a, 4096, cudaMemAdviseSetReadMostly, device));
  CUDA_OK(cudaMemAdvise(b, n * sizeof(int), cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
  for (int turn = 0; turn < turns; ++turn) {
    // Not whole pages, and not from the start of one.
    CUDA_OK(cudaMemPrefetchAsync(a + 7, (n - 7) * sizeof(int), device, stream));
    CUDA_OK(cudaMemPrefetchAsync(b, 1, device, stream));
    step<<<37, 96, 0, stream>>>(a, b, n, turn);
    CUDA_OK(cudaMemPrefetchAsync(b, n * sizeof(int), cudaCpuDeviceId, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      want[i] = 3 * want[i] + turn;
      wrong += b[i] != want[i];
      b[i] = want[i] %= 1009;  // the host's turn
    }
    CHECK_EQ(wrong, 0);
    std::swap(a, b);
  }
  CUDA_OK(cudaMemAdvise(a, 4096, cudaMemAdviseUnsetReadMostly, device));
  CUDA_OK(cudaMemAdvise(b, n * sizeof(int), cudaMemAdviseUnsetPreferredLocation, device));
  CHECK_EQ(cudaMemPrefetchAsync(a, n * sizeof(int) + (1 << 20), device, stream),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaMemPrefetchAsync(want.data(), 4, device, stream), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemPrefetchAsync(a, 4, 1000, stream), cudaErrorInvalidDevice);
  (void)cudaGetLastError();
  CUDA_OK(cudaFree(a));
  CUDA_OK(cudaFree(b));
  return check::finish();
}
