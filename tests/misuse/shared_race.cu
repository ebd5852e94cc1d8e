// Threads that meet in shared memory without a barrier between them; and what only looks like it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 0
// EXPECT: :22:\d+: warning: kernel 'read_after_write.*block \[0,0,0\]: race in shared memory: thread \[1,4,0\] reads what thread \[5,0,0\] writes at .*:20:\d+, with no __syncthreads in between
// EXPECT: :31:\d+: warning: kernel 'write_after_read.*thread \[40,0,0\] overwrites what thread \[0,0,0\] reads at .*:30:\d+, with no __syncthreads
// EXPECT: :37:\d+: warning: kernel 'write_after_write.*thread \[40,0,0\] writes another value than thread \[0,0,0\] writes
// EXPECT: :49:\d+: warning: kernel 'within_a_warp.*thread \[1,0,0\] overwrites what thread \[0,0,0\] reads at .*:48:\d+, with no __syncwarp or __syncthreads
// REFUSE: no_race
// EXPECT: finished: no error
// STEP: %t => 0
// EXPECT: finished: no error
// REFUSE: warning
#include <cstdio>

// Row 4 of threads is the second warp.
__global__ void read_after_write(int* out) {
  __shared__ int cells[64];
  const int t = threadIdx.y * 8 + threadIdx.x;
  cells[63 - t] = t;
  __syncwarp();
  out[t] = t == 33 ? cells[58] * 2 : 0;
}

__global__ void write_after_read(int* out) {
  __shared__ int cell;
  const int t = threadIdx.x;
  if (t == 0) cell = 7;
  __syncthreads();
  if (t < 32) out[t] = cell + 1;
  if (t == 40) cell = 9;
}

__global__ void write_after_write(int* out) {
  __shared__ int cell;
  const int t = threadIdx.x;
  if (t % 40 == 0) cell = t;
  __syncthreads();
  out[t] = cell + 1;
}

// Works while the lanes of a warp run in lock-step, which no GPU since Volta promises.
__global__ void within_a_warp(int* out) {
  __shared__ int cells[33];
  const int t = threadIdx.x;
  cells[t + 1] = t;
  __syncwarp();
  const int mine = cells[t + 1] * 3;
  cells[t] = mine;
  out[t] = mine;
}

// The same value from all, barriers, atomics, a flag, one's own element, volatile lock-step.
__global__ void no_race(int* out) {
  __shared__ int same, sum, flag, cells[64];
  const int t = threadIdx.x;
  same = 5;
  cells[t] = same + t;
  if (t == 0) sum = 0, flag = 0;
  __syncthreads();
  atomicAdd(&sum, cells[63 - t]);
  __syncthreads();
  cells[t] = sum;
  cells[t] += cells[t] / 2;
  __syncthreads();
  if (t == 3) {
    cells[0] = 100;
    __threadfence_block();
    atomicExch(&flag, 1);
  } else if (t == 60) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    cells[1] = cells[0] + 1;
  }
  __syncthreads();
  for (int step = 32; step >= 16; step /= 2) {
    if (t < step) cells[t] += cells[t + step];
    __syncthreads();
  }
  if (t < 16) {
    volatile int* all = cells;
    all[t] += all[t + 8];
    all[t] += all[t + 4];
  }
  __syncthreads();
  if (t < 32) {
    const int next = cells[(t + 1) % 32] * 2;
    __syncwarp();
    cells[t] = next;
  }
  out[t] = t;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  read_after_write<<<1, dim3(8, 8)>>>(out);
  write_after_read<<<1, 64>>>(out);
  write_after_write<<<1, 64>>>(out);
  within_a_warp<<<1, 32>>>(out);
  no_race<<<2, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
