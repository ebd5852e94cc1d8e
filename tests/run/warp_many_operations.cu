// So many warp operations that blocks of unusual shape run the same code with AVX2 and AVX-512.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | kernels of very many warp operations (unrolled networks)
#include "check.h"

#include <cmath>

constexpr int values = 8;

__device__ int position() { return blockIdx.x * check::thread_count() + check::thread_index(); }

/// Hadamard's transform of 32 numbers, eight times.
template <bool scaled>
__global__ void transform(const float* in, float* out) {
  const int at = position(), lane = check::thread_index() % 32;
  float mine[values];
#pragma unroll
  for (int c = 0; c < values; ++c) mine[c] = in[at * values + c];
#pragma unroll
  for (int c = 0; c < values; ++c)
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const float other = __shfl_xor_sync(0xffffffffu, mine[c], step);
      mine[c] = (lane & step) ? other - mine[c] : other + mine[c];
    }
#pragma unroll
  for (int c = 0; c < values; ++c)
    out[at * values + c] = scaled ? mine[c] * rsqrtf(1.0f + mine[c] * mine[c]) : mine[c];
}

static void test(dim3 block, bool scaled) {
  const int blocks = 5, threads = blocks * check::volume(block);
  check::Random random(threads);
  std::vector<float> in(threads * values), want(in.size());
  for (float& one : in) one = float(int(random.bits() % 200) - 100);
  check::Array<float> from(in), to(in.size());
  if (scaled)
    transform<true><<<blocks, block>>>(from.data(), to.data());
  else
    transform<false><<<blocks, block>>>(from.data(), to.data());
  KERNEL_OK();
  for (int warp = 0; warp < threads / 32; ++warp)
    for (int c = 0; c < values; ++c)
      for (int lane = 0; lane < 32; ++lane) {
        float sum = 0;  // of whole numbers: exact
        for (int other = 0; other < 32; ++other) {
          const float value = in[(warp * 32 + other) * values + c];
          sum += __builtin_parity(lane & other) ? -value : value;
        }
        want[(warp * 32 + lane) * values + c] = scaled ? sum / std::sqrt(1.0f + sum * sum) : sum;
      }
  const std::string name = check::name(scaled ? "scaled" : "plain", block);
  if (scaled)
    check::near(name, to.get(), want, 1e-6);
  else
    check::equal(name, to.get(), want);
}

int main() {
  for (dim3 block : {dim3(32), dim3(256), dim3(16, 2), dim3(8, 8), dim3(48, 2), dim3(4, 4, 4)})
    for (bool scaled : {false, true}) test(block, scaled);
  return check::finish();
}
