// Reductions that rely on a warp's volatile accesses happening in step, as programs before 2017 do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | warp-synchronous reduction through volatile shared memory
#include "check.h"

// On hardware this is only safe with __syncwarp between the steps; that form must be exact.
__device__ void finish_warp(volatile int* cells, int t) {
  cells[t] += cells[t + 32];
  __syncwarp();
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = cells[t + offset];
    __syncwarp();
    cells[t] = cells[t] + other;
    __syncwarp();
  }
}

__global__ void reduce(const int* in, int* out) {
  __shared__ int cells[1024];
  const int t = threadIdx.x;
  cells[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (t < int(s)) cells[t] += cells[t + s];
    __syncthreads();
  }
  if (t < 32) finish_warp(cells, t);
  if (t == 0) out[blockIdx.x] = cells[0];
}

// The form without any synchronisation, for lock-step warps: lane 0's result only.
__global__ void reduce_old(const int* in, int* out) {
  __shared__ volatile int cells[128];
  const int t = threadIdx.x;
  cells[t] = in[blockIdx.x * 64 + t];
  if (t + 64 < 128) cells[t + 64] = 0;
  __syncthreads();
  if (t < 32) {
    cells[t] = cells[t] + cells[t + 32];
    cells[t] = cells[t] + cells[t + 16];
    cells[t] = cells[t] + cells[t + 8];
    cells[t] = cells[t] + cells[t + 4];
    cells[t] = cells[t] + cells[t + 2];
    cells[t] = cells[t] + cells[t + 1];
  }
  if (t == 0) out[blockIdx.x] = cells[0];
}

int main() {
  check::Random random(53);
  for (int threads : {64, 128, 512, 1024}) {
    const auto in = random.integers<int>(threads * 3, -1000, 1000);
    check::Array<int> source(in), out(3);
    reduce<<<3, threads>>>(source.data(), out.data());
    std::vector<int> want(3, 0);
    for (int i = 0; i < threads * 3; ++i) want[i / threads] += in[i];
    check::equal("reduce", out.get(), want);
  }
  const auto in = random.integers<int>(64 * 5, -1000, 1000);
  check::Array<int> source(in), out(5);
  reduce_old<<<5, 64>>>(source.data(), out.data());
  std::vector<int> want(5, 0);
  for (int i = 0; i < 64 * 5; ++i) want[i / 64] += in[i];
  check::equal("reduce_old", out.get(), want);
  return check::finish();
}
