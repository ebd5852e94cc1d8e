// __launch_bounds__ as a promise of how large a block is: one warp, joined neighbours, narrow
// numbers, other axes, children that break it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | __launch_bounds__ as bounds of threadIdx and blockDim: single warps, blocks of one to three dimensions
#include "check.h"

#include <numeric>

/// Positions, with all that a bound of 32 makes of warps and lanes.
__global__ void __launch_bounds__(32) positions(int* out, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) out[i] = 1000 * (threadIdx.x / 32) + (threadIdx.x & 31) - threadIdx.x + i;
}

/// The same with blockDim, and numbers of 8 and 16 bits.
__global__ void __launch_bounds__(48) narrow(int* out, int n) {
  const unsigned char t = threadIdx.x;
  const short s = static_cast<short>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * s + (t - static_cast<int>(threadIdx.x));
}

__global__ void __launch_bounds__(64) sums(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d && t + d < blockDim.x) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void __launch_bounds__(24, 2) boxes(int* out) {
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[blockIdx.x * 24 + t] = 100 * threadIdx.x + 10 * threadIdx.y + threadIdx.z;
}

__global__ void parent(int* out, int* error) {
  positions<<<2, 33>>>(out, 64);
  *error = cudaGetLastError();
  positions<<<2, 32>>>(out, 64);
}

static void test_positions(int n) {
  check::Array<int> out(n);
  std::vector<int> want(n);
  std::iota(want.begin(), want.end(), 0);
  positions<<<(n + 31) / 32, 32>>>(out.data(), n);
  check::equal("positions", out.get(), want);
  for (int& one : want) one *= 3;
  for (int width : {48, 17, 1}) {
    check::Array<int> again(n);
    narrow<<<(n + width - 1) / width, width>>>(again.data(), n);
    check::equal("narrow", again.get(), want);
  }
}

static void test_sums(int threads) {
  check::Random random(threads);
  const auto in = random.integers<int>(7 * threads, -100, 100);
  check::Array<int> from(in), out(7);
  sums<<<7, threads>>>(from.data(), out.data());
  std::vector<int> want(7);
  for (int b = 0; b < 7; ++b)
    want[b] = std::accumulate(in.begin() + b * threads, in.begin() + (b + 1) * threads, 0);
  check::equal("sums", out.get(), want);
}

static void test_boxes(dim3 block) {
  check::Array<int> out(3 * 24);
  boxes<<<3, block>>>(out.data());
  std::vector<int> want(3 * 24);
  for (int b = 0; b < 3; ++b)
    for (int t = 0; t < 24; ++t)
      want[b * 24 + t] =
          100 * (t % block.x) + 10 * (t / block.x % block.y) + t / (block.x * block.y);
  check::equal("boxes", out.get(), want);
}

int main() {
  for (int n : {1, 31, 1000, 20000}) test_positions(n);
  for (int threads : {64, 33, 32, 5}) test_sums(threads);
  for (dim3 block : {dim3(24, 1, 1), dim3(1, 24, 1), dim3(1, 1, 24), dim3(4, 3, 2)})
    test_boxes(block);
  check::Array<int> out(64), error(1);
  parent<<<1, 1>>>(out.data(), error.data());
  std::vector<int> want(64);
  std::iota(want.begin(), want.end(), 0);
  check::equal("child", out.get(), want);
  CHECK_EQ(error.get()[0], static_cast<int>(cudaErrorLaunchOutOfResources));
  return check::finish();
}
