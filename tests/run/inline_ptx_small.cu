// 16-bit floating-point numbers in inline PTX: conversions from wide numbers, atomic sums.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Inline PTX | cvt to f16 and bf16 from f64 and from integers of 16, 32 and 64 bits, rounded once
// FEATURE: Inline PTX | atom.add and red.add of f16, f16x2, bf16, bf16x2
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void convert(const double* reals, const long long* integers, unsigned short* out,
                        int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const double d = reals[i];
    const long long s = integers[i];
    const int w = int(s);
    unsigned short* o = out + 8 * i;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(o[0]) : "d"(d));
    asm("cvt.rn.bf16.f64 %0, %1;" : "=h"(o[1]) : "d"(d));
    asm("cvt.rn.f16.s32 %0, %1;" : "=h"(o[2]) : "r"(w));
    asm("cvt.rn.f16.u32 %0, %1;" : "=h"(o[3]) : "r"(w));
    asm("cvt.rz.bf16.s32 %0, %1;" : "=h"(o[4]) : "r"(w));
    asm("cvt.rn.bf16.s64 %0, %1;" : "=h"(o[5]) : "l"(s));
    asm("cvt.rn.bf16.u64 %0, %1;" : "=h"(o[6]) : "l"(s));
    asm("cvt.rn.f16.s64 %0, %1;" : "=h"(o[7]) : "l"(s));
  }
}

/// Bits of `x`, which a long double holds exactly, with `fraction` bits after the leading one.
unsigned short rounded(long double x, int fraction, int bias, bool to_zero) {
  const unsigned short sign = std::signbit(x) ? 0x8000 : 0;
  x = std::fabs(x);
  if (x == 0) return sign;
  int exponent;
  std::frexp(x, &exponent);
  exponent = std::max(exponent - 1, 1 - bias);
  const long double steps = std::ldexp(x, fraction - exponent);
  long double whole = std::floor(steps);
  if (!to_zero) whole = std::nearbyint(steps);
  const auto kept = (unsigned long long)whole;  // with the leading one
  unsigned long long bits = kept + ((unsigned long long)(exponent + bias - 1) << fraction);
  const unsigned long long infinity = ((2ull * bias + 1) << fraction);
  if (bits >= infinity) bits = to_zero ? infinity - 1 : infinity;
  return (unsigned short)(sign | bits);
}

void conversions() {
  const int n = 2000;
  check::Random random(4);
  std::vector<double> reals(n);
  std::vector<long long> integers(n);
  for (int i = 0; i < n; ++i) {
    reals[i] = std::ldexp(random.real(-2, 2), int(random.integer(-30, 18)));
    integers[i] = (long long)random.bits() >> random.integer(0, 62);
    // Just beside a tie: what comes of rounding twice is seen.
    if (i % 3 == 0) {
      reals[i] = std::ldexp(1.0 + 0x1p-11 + (i % 2 ? 1 : -1) * 0x1p-40, int(random.integer(-5, 5)));
      integers[i] = (1ll << 60) + (1ll << 52) + (i % 2 ? 1 : -1);
    }
  }
  check::Array<double> dreals(reals);
  check::Array<long long> dintegers(integers);
  check::Array<unsigned short> dout(8 * n);
  convert<<<1, 64>>>(dreals.data(), dintegers.data(), dout.data(), n);
  std::vector<unsigned short> want;
  for (int i = 0; i < n; ++i) {
    const long long s = integers[i];
    const int w = int(s);
    for (unsigned short one :
         {rounded(reals[i], 10, 15, false), rounded(reals[i], 7, 127, false),
          rounded(w, 10, 15, false), rounded(unsigned(w), 10, 15, false), rounded(w, 7, 127, true),
          rounded(s, 7, 127, false), rounded((unsigned long long)s, 7, 127, false),
          rounded(s, 10, 15, false)})
      want.push_back(one);
  }
  check::equal("conversions", dout.get(), want);
}

__global__ void add(unsigned* pairs, unsigned short* numbers, unsigned half_pair,
                    unsigned bfloat_pair) {
  unsigned old;
  asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(pairs), "r"(half_pair)
               : "memory");
  asm volatile("red.relaxed.gpu.global.add.noftz.bf16x2 [%0], %1;" ::"l"(pairs + 1),
               "r"(bfloat_pair)
               : "memory");
  unsigned short before;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
               : "=h"(before)
               : "l"(numbers), "h"((unsigned short)half_pair)
               : "memory");
  asm volatile("atom.add.noftz.bf16 %0, [%1], %2;"
               : "=h"(before)
               : "l"(numbers + 1), "h"((unsigned short)bfloat_pair)
               : "memory");
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  asm volatile(
      "red.shared.add.noftz.f16x2 [%0], %1;" ::"r"(unsigned(__cvta_generic_to_shared(&sum))),
      "r"(half_pair)
      : "memory");
  __syncthreads();
  if (threadIdx.x == 0) pairs[2 + blockIdx.x] = sum;
}

void atomics() {
  const int blocks = 2, threads = 40, n = blocks * threads;
  check::Array<unsigned> pairs(std::vector<unsigned>(2 + blocks, 0));
  check::Array<unsigned short> numbers(std::vector<unsigned short>(2, 0));
  auto half = [](float x) { return __half_raw(__float2half(x)).x; };
  auto bfloat = [](float x) { return __nv_bfloat16_raw(__float2bfloat16(x)).x; };
  auto pair = [](unsigned low, unsigned high) { return low | high << 16; };
  add<<<blocks, threads>>>(pairs.data(), numbers.data(), pair(half(0.5f), half(-2)),
                           pair(bfloat(1), bfloat(0.25f)));
  std::vector<unsigned> want = {pair(half(0.5f * n), half(-2.0f * n)),
                                pair(bfloat(n), bfloat(0.25f * n))};
  for (int b = 0; b < blocks; ++b)
    want.push_back(pair(half(0.5f * threads), half(-2.0f * threads)));
  check::equal("pairs", pairs.get(), want);
  check::equal("numbers", numbers.get(), {half(0.5f * n), bfloat(n)});
}

int main() {
  conversions();
  atomics();
  return check::finish();
}
