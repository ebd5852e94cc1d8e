// Kernels of which no thread comes to its end: each says where it stopped, and compiles with every option.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 %s -o %t => 0
// STEP: %t 0 => 0
// EXPECT: kernel 'only_trap\(\)'.*: trap\nlaunch failed: cudaErrorLaunchFailure
// STEP: %t 1 => 0
// EXPECT: kernel 'behind_barrier\(int\*, int\)'.*: trap\nlaunch failed: cudaErrorLaunchFailure
// STEP: %t 2 => 0
// EXPECT: kernel 'on_both_ways\(int\*\)'.*: trap\nlaunch failed: cudaErrorLaunchFailure
// STEP: %t 3 => 0
// EXPECT: kernel 'in_a_function\(int\*\)'.*: trap\nlaunch failed: cudaErrorLaunchFailure
// STEP: %t 4 => 0
// EXPECT: kernel 'behind_a_shuffle\(int\*\)'.*: trap\nlaunch failed: cudaErrorLaunchFailure
// STEP: %t 5 => 0
// EXPECT: launched: cudaSuccess
// STEP: GRIDSPAN_VERIFY=1 %t 1 => 0
// EXPECT: launch failed: cudaErrorLaunchFailure
// STEP: GRIDSPAN_CPU=interpret %t 3 => 0
// EXPECT: launch failed: cudaErrorLaunchFailure
// STEP: %gridcc -std=c++17 -G %s -o %t => 0
// STEP: %t 1 => 0
// EXPECT: kernel 'behind_barrier\(int\*, int\)'.*: trap
// STEP: %t 5 => 0
// EXPECT: launched: cudaSuccess
// STEP: %gridcc -std=c++17 -lineinfo -O0 %s -o %t => 0
// STEP: %t 2 => 0
// EXPECT: kernel 'on_both_ways\(int\*\)'.*: trap
#include <cstdio>
#include <cstdlib>

__global__ void only_trap() { __trap(); }

__global__ void behind_barrier(int* p, int n) {
  if (threadIdx.x >= n) __trap();
  p[threadIdx.x] = 3;
  __syncthreads();
  p[threadIdx.x + 1]++;
  __trap();
}

__global__ void on_both_ways(int* p) {
  __shared__ int s[33];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  if (s[5] == 7) {
    p[1] = 2;
    __trap();
  }
  asm volatile("trap;");
  __builtin_unreachable();
}

__device__ __noinline__ void stops() { __trap(); }

__global__ void in_a_function(int* p) {
  p[threadIdx.x] = 1;
  __syncthreads();
  stops();
}

__global__ void behind_a_shuffle(int* p) {
  p[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 3);
  __syncwarp();
  __trap();
}

__global__ void leaves(int* p) {
  p[threadIdx.x] = 5;
  asm volatile("exit;");
}

// These are compiled, and not launched: they would never end, or have no meaning.
__global__ void nothing() { __builtin_unreachable(); }
__global__ void nothing_behind_a_store(int* p) {
  p[threadIdx.x] = 1;
  __builtin_unreachable();
}
__global__ void always(volatile int* p) {
  while (true) p[0]++;
}
__global__ void always_with_barriers(volatile int* p) {
  while (true) {
    p[threadIdx.x]++;
    __syncthreads();
  }
}
__global__ void always_with_votes(volatile int* p) {
  for (;;)
    if (__any_sync(~0u, p[threadIdx.x] == 3)) p[0]++;
}

int main(int, char** arguments) {
  int* p;
  cudaMalloc(&p, 4096);
  cudaMemset(p, 0, 4096);
  switch (atoi(arguments[1])) {
    case 0:
      only_trap<<<1, 33>>>();
      break;
    case 1:
      behind_barrier<<<3, 33>>>(p, 40);
      break;
    case 2:
      on_both_ways<<<2, 33>>>(p);
      break;
    case 3:
      in_a_function<<<2, 33>>>(p);
      break;
    case 4:
      behind_a_shuffle<<<2, 32>>>(p);
      break;
    default:
      leaves<<<2, 33>>>(p);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s: %s\n", error ? "launch failed" : "launched", cudaGetErrorName(error));
  int values[33] = {};
  if (error == cudaSuccess) {
    cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost);
    for (const int value : values)
      if (value != 5) return 1;
  }
  return 0;
}
