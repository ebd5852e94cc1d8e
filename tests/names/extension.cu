// A library as a package of Python's brings it: kernels, variables, both APIs, run-time
// compilation. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstring>

__constant__ float factor;
__device__ int launches;

__global__ void scale(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i] + 0.25f;
  if (i == 0) ++launches;
}

#define TRY(call) \
  if ((call) != 0) return __LINE__

/// 0, or the line that failed. Whoever answers in our place does nothing and says 0: so results
/// count, not codes.
extern "C" int compute(float* out, const float* in, int n) {
  const float three = 3;
  const size_t bytes = n * sizeof(float);
  float *from, *to;
  cudaStream_t stream;
  TRY(cudaMemcpyToSymbol(factor, &three, sizeof three));
  TRY(cudaMalloc(&from, bytes));
  TRY(cudaMalloc(&to, bytes));
  TRY(cudaStreamCreate(&stream));
  TRY(cudaMemcpyAsync(from, in, bytes, cudaMemcpyHostToDevice, stream));
  scale<<<(n + 95) / 96, 96, 0, stream>>>(to, from, n);
  TRY(cudaGetLastError());
  TRY(cuMemcpyDtoHAsync(out, (CUdeviceptr)to, bytes, stream));
  TRY(cudaStreamSynchronize(stream));
  int count = -1;
  TRY(cudaMemcpyFromSymbol(&count, launches, sizeof count));
  TRY(count < 1);
  TRY(cudaFree(from));
  TRY(cudaFree(to));
  TRY(cudaStreamDestroy(stream));
  int major = -1, minor = -1;
  TRY(nvrtcVersion(&major, &minor));
  TRY(major < 11);
  TRY(std::strcmp(nvrtcGetErrorString(NVRTC_SUCCESS), "NVRTC_SUCCESS"));
  return 0;
}
