// Kernels of thousands of instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | a thousand accesses with barriers between, hundreds of operations on `__half`: same results in each mode
#include "check.h"

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <vector>

#define TIMES_5(step, k) step(k) step(k + 1) step(k + 2) step(k + 3) step(k + 4)
#define TIMES_25(step, k) \
  TIMES_5(step, k)        \
  TIMES_5(step, k + 5) TIMES_5(step, k + 10) TIMES_5(step, k + 15) TIMES_5(step, k + 20)
#define TIMES_75(step, k) TIMES_25(step, k) TIMES_25(step, k + 25) TIMES_25(step, k + 50)
#define TIMES_125(step, k) \
  TIMES_25(step, k)        \
  TIMES_25(step, k + 25) TIMES_25(step, k + 50) TIMES_25(step, k + 75) TIMES_25(step, k + 100)

constexpr int block = 37, blocks = 5, n = block * blocks;

// Data decide where each access goes: none can be left out.
#define MIX(k)                                           \
  at = order[(at + (k)) % n];                            \
  own[threadIdx.x] = own[threadIdx.x] * 3u + values[at]; \
  if (own[threadIdx.x] & 64u) out[i] ^= own[threadIdx.x] + (k);

__global__ void mixes(const int* order, const unsigned* values, unsigned* out) {
  __shared__ unsigned own[block];
  const int i = blockIdx.x * block + threadIdx.x;
  int at = i;
  own[threadIdx.x] = i;
  out[i] = 1;
  TIMES_75(MIX, 0)
  __syncthreads();
  out[i] += own[block - 1 - threadIdx.x];
  __syncthreads();
  TIMES_75(MIX, 75)
}

static void test_accesses() {
  std::vector<int> order(n), at(n);
  std::vector<unsigned> values(n), want(n), own(n);
  for (int i = 0; i < n; ++i) order[i] = (i * 71 + 13) % n, values[i] = i * 2654435761u;
  const auto mix = [&](int i, int k) {
    at[i] = order[(at[i] + k) % n];
    own[i] = own[i] * 3u + values[at[i]];
    if (own[i] & 64u) want[i] ^= own[i] + k;
  };
  for (int i = 0; i < n; ++i) {
    at[i] = own[i] = i;
    want[i] = 1;
    for (int k = 0; k < 75; ++k) mix(i, k);
  }
  for (int i = 0; i < n; ++i) want[i] += own[i / block * block + block - 1 - i % block];
  for (int i = 0; i < n; ++i)
    for (int k = 75; k < 150; ++k) mix(i, k);

  check::Array<int> device_order(order);
  check::Array<unsigned> device_values(values), out(std::vector<unsigned>(n, 0xdeadbeefu));
  mixes<<<blocks, block>>>(device_order.data(), device_values.data(), out.data());
  KERNEL_OK();
  check::equal("accesses", out.get(), want);
}

#define STEP(k) x = x * a + ((k) % 7 < 3 ? b : c);

__global__ void half_steps(const __half* in, __half* out, __half a, __half b, __half c) {
  const int i = blockIdx.x * block + threadIdx.x;
  __half x = in[i];
  TIMES_125(STEP, 0)
  TIMES_125(STEP, 125)
  out[i] = x;
}

/// To the nearest half, of finite numbers: a whole number of units, even in doubt.
static double rounded(double value) {
  if (value == 0) return value;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(value), -14) - 10);
  return std::nearbyint(value / unit) * unit;
}

static void test_halfs() {
  std::vector<__half> in(n);
  std::vector<float> got(n), want(n);
  const double a = -0.96875, b = 1.171875, c = -0.0625;
  for (int i = 0; i < n; ++i) {
    double x = rounded((i - n / 2) * 0.37);
    in[i] = __float2half(static_cast<float>(x));
    for (int k = 0; k < 250; ++k) x = rounded(rounded(x * a) + (k % 7 < 3 ? b : c));
    want[i] = static_cast<float>(x);
  }
  check::Array<__half> from(in), to(std::vector<__half>(n, __float2half(-99.0f)));
  half_steps<<<blocks, block>>>(from.data(), to.data(), __float2half(a), __float2half(b),
                                __float2half(c));
  KERNEL_OK();
  const std::vector<__half> back = to.get();
  for (int i = 0; i < n; ++i) got[i] = __half2float(back[i]);
  check::equal("halfs", got, want);
}

int main() {
  test_accesses();
  test_halfs();
  return check::finish();
}
