// More operations in one source than are compiled for each CPU: code for the interpreter is there
// once, and rounds as all other code does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | sources of tens of thousands of operations: products and sums are rounded alike in each mode
#include "check.h"

#include <cmath>

#define TIMES_4(step, k) step(k) step(k + 1) step(k + 2) step(k + 3)
#define TIMES_16(step, k) \
  TIMES_4(step, k) TIMES_4(step, k + 4) TIMES_4(step, k + 8) TIMES_4(step, k + 12)
#define TIMES_64(step, k) \
  TIMES_16(step, k) TIMES_16(step, k + 16) TIMES_16(step, k + 32) TIMES_16(step, k + 48)
#define TIMES_256(step, k) \
  TIMES_64(step, k) TIMES_64(step, k + 64) TIMES_64(step, k + 128) TIMES_64(step, k + 192)
#define TIMES_512(step, k) TIMES_256(step, k) TIMES_256(step, k + 256)

// Volatile, so that all of it stays.
#define CHANGE(k) own[(k) % 7] = own[(k) % 5] * 3u + (own[(k) % 3] ^ (k));

template <int number>
__global__ void filler(unsigned* out) {
  volatile unsigned own[7] = {number, 1, 2, 3, 4, 5, 6};
  TIMES_512(CHANGE, number)
  out[threadIdx.x] = own[0] + own[6];
}

// What is left of a product once its rounded value is taken from it: 0 if it is rounded twice.
__global__ void rests(const float* a, const float* b, const float* c, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] * b[i] + c[i];
}

template <int number>
void check_filler() {
  check::Array<unsigned> out(1);
  filler<number><<<1, 1>>>(out.data());
  KERNEL_OK();
  unsigned own[7] = {number, 1, 2, 3, 4, 5, 6};
  TIMES_512(CHANGE, number)
  CHECK_EQ(out.get()[0], own[0] + own[6]);
}

int main() {
  constexpr int n = 257;
  check::Random random(43);
  std::vector<float> a(n), b(n), c(n), expected(n);
  int nonzero = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(random.integer(1, 1 << 23)) * 0.7f;
    b[i] = static_cast<float>(random.integer(1, 1 << 23)) * 0.3f;
    volatile float product = a[i] * b[i];
    c[i] = -product;
    expected[i] = std::fma(a[i], b[i], c[i]);
    nonzero += expected[i] != 0;
  }
  CHECK(nonzero > n / 2);
  check::Array<float> d_a(a), d_b(b), d_c(c), out(n);
  rests<<<9, 31>>>(d_a.data(), d_b.data(), d_c.data(), out.data(), n);
  KERNEL_OK();
  check::equal("rests", out.get(), expected);
  check_filler<1>();
  check_filler<2>();
  check_filler<3>();
  check_filler<4>();
  check_filler<5>();
  check_filler<6>();
  check_filler<7>();
  check_filler<8>();
  return check::finish();
}
