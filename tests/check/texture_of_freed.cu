// A texture whose memory was given back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: error: kernel 'fetch\(unsigned long long, float\*\)', block \[0,0,0\], thread \[0,0,0\]: read of 4 bytes at 0x[0-9a-f]+, 0 bytes inside the 128 bytes at 0x[0-9a-f]+, which were freed$
// EXPECT: texture_of_freed\.cu:14:\d+: error
// EXPECT: texture_of_freed\.cu:19: note: the 128 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: texture_of_freed\.cu:30: note: and freed by cudaFree, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void fetch(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

int main() {
  float *texels = nullptr, *out = nullptr;
  cudaMalloc(&texels, 128);
  cudaMalloc(&out, 128);
  cudaMemset(texels, 0, 128);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = texels;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 128;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  cudaFree(texels);
  fetch<<<1, 32>>>(texture, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
