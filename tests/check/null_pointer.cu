// An allocation that failed, and nobody looked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: null_pointer\.cu:18:\d+: error: kernel 'weigh\(Mesh, float\*\)', block \[0,0,0\], thread \[0,0,0\]: read of 4 bytes at 0x8, a null pointer, or near it$
// EXPECT: note: 4 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


struct Mesh {
  int count;
  const float* weights;
};

__global__ void weigh(Mesh mesh, float* out) {
  const int i = threadIdx.x;
  if (i < mesh.count) out[i] = mesh.weights[i + 2];
}

int main() {
  Mesh mesh{5, nullptr};
  float* out = nullptr;
  cudaMalloc(&out, 5 * sizeof(float));
  weigh<<<1, 32>>>(mesh, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
