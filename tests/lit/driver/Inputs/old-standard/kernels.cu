// A program of before C++11.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <vector>

#define COUNT "d"

struct Functor {
  int step;
  explicit Functor(int by) : step(by) {}
  __device__ int operator()(int i) const { return i * step; }
};

template <class F>
__global__ void sums(F of, int* out, int n) {
  extern __shared__ int part[];
  part[threadIdx.x] = of(blockIdx.x * blockDim.x + threadIdx.x);
  __syncthreads();
  if (threadIdx.x) return;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += part[i];
  out[blockIdx.x] = sum;
}

int cxx_of_host(dim3 shape, float4 of);

int main() {
  const int blocks = 33, threads = 65;
  int* device = NULL;
  if (cudaMalloc(&device, blocks * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(device, 0xff, blocks * sizeof(int));
  sums<<<blocks, threads, threads * sizeof(int)>>>(Functor(3), device, threads);
  std::vector<int> host(blocks, -1);
  cudaMemcpy(&host[0], device, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  int right = 0;
  for (std::vector<int>::const_iterator i = host.begin(); i != host.end(); ++i) {
    int want = 0;
    for (int t = 0; t < threads; ++t) want += 3 * (int(i - host.begin()) * threads + t);
    right += *i == want;
  }
  std::printf("%"COUNT" sums, %"COUNT" C++03 host\n", right,
              cxx_of_host(dim3(2, 3), make_float4(1, 2, 3, 4)));
  return 0;
}
