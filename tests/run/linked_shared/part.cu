// Kernels with most of a block's shared memory each, which are launched before the compiler sees
// them. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

template <int Part, class T, int N>
__global__ void turned(T* out, int n);

template <int Part>
static std::size_t launch(int* a, float* b, int n) {
  turned<Part, int, 11000><<<1, 65>>>(a, n);
  turned<Part, float, 9001><<<1, 33>>>(b, n);
  cudaFuncAttributes attributes{};
  CHECK_EQ(cudaFuncGetAttributes(&attributes, turned<Part, int, 11000>), cudaSuccess);
  return attributes.sharedSizeBytes;
}

#if PART == 1
std::size_t first(int* a, float* b, int n) { return launch<1>(a, b, n); }
#else
std::size_t second(int* a, float* b, int n) { return launch<2>(a, b, n); }
__device__ int tripled(int i) {
  __shared__ int step[2048];  // of whoever calls this
  step[threadIdx.x] = 3;
  return i * step[threadIdx.x];
}
#endif

template <int Part, class T, int N>
__global__ void turned(T* out, int n) {
  __shared__ T values[N];
  for (int i = threadIdx.x; i < N; i += blockDim.x) values[i] = T(Part * 1000 + i);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = values[N - 1 - i];
}

#if PART == 1
__global__ void squares(int* out, int n) {
  __shared__ int values[10007];
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = i * i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = values[n - 1 - i];
}
#endif
