// Launches beyond the limits: refused with CUDA's code; the log names call and kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: %t => 0
// EXPECT: 1025 threads: invalid configuration argument
// EXPECT: no threads: invalid configuration argument
// EXPECT: shared: (invalid argument|too many resources requested for launch)
// EXPECT: static shared: no error
// EXPECT: afterwards: no error
// STEP: GRIDSPAN_LOG=warn %t => 0
// EXPECT: cudaLaunchKernel.*1025
// EXPECT: kernel
// STEP: GRIDSPAN_CPU=interpret %t => 0
// EXPECT: 1025 threads: invalid configuration argument
#include <cstdio>

__global__ void kernel(int* out) { out[0] = 1; }
__global__ void static_shared(int* out) {
  __shared__ int cells[12288];
  cells[threadIdx.x] = 1;
  __syncthreads();
  out[0] = cells[0];
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  kernel<<<1, 1025>>>(out);
  std::printf("1025 threads: %s\n", cudaGetErrorString(cudaGetLastError()));
  kernel<<<1, 0>>>(out);
  std::printf("no threads: %s\n", cudaGetErrorString(cudaGetLastError()));
  kernel<<<1, 1, 300000>>>(out);
  std::printf("shared: %s\n", cudaGetErrorString(cudaGetLastError()));
  static_shared<<<1, 1>>>(out);
  std::printf("static shared: %s\n", cudaGetErrorString(cudaGetLastError()));
  kernel<<<1, 1>>>(out);
  std::printf("afterwards: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
