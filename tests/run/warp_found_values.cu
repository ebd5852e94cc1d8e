// A number all threads load alike before a call, wanted by warp operations and behind a barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | numbers that all threads load alike before a call, wanted behind barriers and by warp operations
#include "check.h"

struct Parameters {
  int count;
  float scale;
  const float* in;
  float* out;
};

__device__ __noinline__ void read(const float* from, float* to, int count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 2; ++i) to[i] = 2 * at + i < count ? from[2 * at + i] : 0.0f;
}

/// The call may write `p.count` for all the compiler knows: its value is found in front of it.
__global__ void pairs(Parameters p) {
  __shared__ float turned[256];
  float mine[2];
  const int* count = &p.count;
  const float lane = float(threadIdx.x % 32);
  read(p.in, mine, *count);
  float sum = mine[0] + __shfl_xor_sync(0xffffffffu, mine[1], 1) + lane;
  turned[threadIdx.x ^ 32] = sum;
  __syncthreads();
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * at < *count) p.out[at] = turned[threadIdx.x] * p.scale;
}

int main() {
  for (int count : {1, 64, 1000, 1023, 4096}) {
    const int threads = 128, blocks = (count + 2 * threads - 1) / (2 * threads);
    std::vector<float> in(count), want(blocks * threads, -1.0f);
    for (int i = 0; i < count; ++i) in[i] = float(i % 37);
    check::Array<float> from(in), to(want);
    pairs<<<blocks, threads>>>({count, 0.5f, from.data(), to.data()});
    KERNEL_OK();
    auto at = [&](int i) { return i < count ? in[i] : 0.0f; };
    for (int i = 0; 2 * i < count; ++i) {
      const int t = i ^ 32;
      want[i] = (at(2 * t) + at(2 * (t ^ 1) + 1) + float(t % 32)) * 0.5f;
    }
    check::equal("pairs of " + std::to_string(count), to.get(), want);
  }
  return check::finish();
}
