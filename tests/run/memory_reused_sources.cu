// Sources of copies are the program's again when the call returns, whatever the device still does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Host memory functions | small copies from pageable memory in loops, its source changed at once; the same to memory the host reads
#include "check.h"

#include <vector>

__global__ void spin(int* out, long long rounds) {
  unsigned x = 1;
  for (long long i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
  if (x == 7) *out = 1;
}

__global__ void add(const int* values, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += values[i];
}

/// Copies of `n` ints in turn with kernels that read them; the device is busy at first.
static void copies_in_turn(int n, cudaStream_t stream, bool is_async) {
  const int rounds = 150;
  int *values, *sums, *nothing;
  CUDA_OK(cudaMalloc(&values, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&sums, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&nothing, sizeof(int)));
  CUDA_OK(cudaMemset(sums, 0, n * sizeof(int)));
  CUDA_OK(cudaDeviceSynchronize());
  std::vector<int> source(n), result(n, -1);
  spin<<<1, 1, 0, stream>>>(nothing, 300000);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < n; ++i) source[i] = round * 3 + i;
    if (is_async)
      CUDA_OK(
          cudaMemcpyAsync(values, source.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    else
      CUDA_OK(cudaMemcpy(values, source.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    for (int& value : source) value = -1000000;
    add<<<(n + 127) / 128, 128, 0, stream>>>(values, sums, n);
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaMemcpy(result.data(), sums, n * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result[i] != 3 * (rounds * (rounds - 1) / 2) + rounds * i;
  CHECK_EQ(wrong, 0);
  CUDA_OK(cudaFree(values));
  CUDA_OK(cudaFree(sums));
  CUDA_OK(cudaFree(nothing));
}

/// A plain copy to memory that the host reads has arrived when it returns.
static void host_reads_targets() {
  int *pinned, *managed, *mapped, *nothing;
  CUDA_OK(cudaMallocHost(&pinned, 64));
  CUDA_OK(cudaMallocManaged(&managed, 64));
  CUDA_OK(cudaMalloc(&nothing, sizeof(int)));
  CUDA_OK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&mapped), pinned, 0));
  for (int round = 0; round < 20; ++round) {
    int value = round * 17 + 5;
    spin<<<1, 1>>>(nothing, 30000);
    CUDA_OK(cudaMemcpy(mapped, &value, sizeof value, cudaMemcpyHostToDevice));
    CHECK(*static_cast<volatile int*>(pinned) == value);
    ++value;
    spin<<<1, 1>>>(nothing, 30000);
    CUDA_OK(cudaMemcpy(managed, &value, sizeof value, cudaMemcpyDefault));
    CHECK(*static_cast<volatile int*>(managed) == value);
  }
  CUDA_OK(cudaFreeHost(pinned));
  CUDA_OK(cudaFree(managed));
  CUDA_OK(cudaFree(nothing));
}

static void CUDART_CB set_source(void* source) { *static_cast<int*>(source) = 4711; }

/// A plain copy reads its source after what comes before it: what a host function wrote.
static void sources_of_host_functions() {
  int *target, *nothing, source = 0, result = 0;
  CUDA_OK(cudaMalloc(&target, sizeof(int)));
  CUDA_OK(cudaMalloc(&nothing, sizeof(int)));
  spin<<<1, 1>>>(nothing, 300000);
  CUDA_OK(cudaLaunchHostFunc(nullptr, set_source, &source));
  CUDA_OK(cudaMemcpy(target, &source, sizeof source, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(&result, target, sizeof result, cudaMemcpyDeviceToHost));
  CHECK_EQ(result, 4711);
  CUDA_OK(cudaFree(target));
  CUDA_OK(cudaFree(nothing));
}

int main() {
  cudaStream_t stream, independent;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamCreateWithFlags(&independent, cudaStreamNonBlocking));
  for (const int n : {1, 257, 16384, 16385, 70001}) {
    copies_in_turn(n, nullptr, false);
    copies_in_turn(n, stream, false);
    copies_in_turn(n, stream, true);
    copies_in_turn(n, independent, true);
  }
  host_reads_targets();
  sources_of_host_functions();
  return check::finish();
}
