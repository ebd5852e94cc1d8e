// One block, or few, of many threads that have nothing to do with one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | one block, or few, of many threads: all of them run once, on several cores
#include "check.h"

__device__ float step(float x, int rounds) {
  for (int i = 0; i < rounds; ++i) x = x * 0.5f + 1.0f;
  return x;
}

/// Work that depends on the thread; all three axes.
__global__ void alone(const float* in, float* out, int* visits, int n) {
  const int in_block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int i = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + in_block;
  if (i >= n) return;
  out[i] = step(in[i], i % 100);
  visits[i] += 1;
}

/// Not to be spread: order is what shared memory and a barrier say.
__global__ void together(const int* in, int* out, int n) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + s[threadIdx.x];
}

static void test_alone(dim3 block, int blocks, int n, check::Random& random) {
  const std::vector<float> in = random.reals<float>(n, -1, 1);
  check::Array<float> from(in), to(std::vector<float>(n, -7.0f));
  check::Array<int> visits(std::vector<int>(n, 0));
  for (int i = 0; i < 4; ++i)  // how long a launch takes is known later
    alone<<<blocks, block>>>(from.data(), to.data(), visits.data(), n);
  KERNEL_OK();
  const int covered = std::min<int>(n, blocks * block.x * block.y * block.z);
  std::vector<float> want(n, -7.0f);
  std::vector<int> times(n, 0);
  for (int i = 0; i < covered; ++i) {
    float x = in[i];
    for (int k = 0; k < i % 100; ++k) x = std::fma(x, 0.5f, 1.0f);  // times 0.5 is exact
    want[i] = x;
    times[i] = 4;
  }
  check::equal("alone", to.get(), want);
  check::equal("visits", visits.get(), times);
}

int main() {
  check::Random random(11);
  for (int blocks : {1, 2, 3, 7})
    for (dim3 block : {dim3(1024), dim3(1000), dim3(513), dim3(31, 33), dim3(8, 8, 16), dim3(1)})
      for (int n : {1, 500, 1024, 5000}) test_alone(block, blocks, n, random);

  const int n = 1000;
  const std::vector<int> in = random.integers<int>(n, -99, 99);
  check::Array<int> from(in), to(std::vector<int>(n, -7));
  together<<<1, 1024, 1024 * sizeof(int)>>>(from.data(), to.data(), n);
  KERNEL_OK();
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = in[i] + (1023 - i < n ? in[1023 - i] : 0);
  check::equal("together", to.get(), want);
  return check::finish();
}
