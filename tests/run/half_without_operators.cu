// PyTorch's flags: no implicit conversions of 16-bit numbers, and operators of the program's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_HALF2_OPERATORS__
// FLAGS: -D__CUDA_NO_BFLOAT16_CONVERSIONS__ -D__CUDA_NO_BFLOAT16_OPERATORS__
// FLAGS: -D__CUDA_NO_BFLOAT162_OPERATORS__
// FEATURE: 16-bit floating point | `__CUDA_NO_HALF_OPERATORS__`, `__CUDA_NO_HALF_CONVERSIONS__`, `__CUDA_NO_HALF2_OPERATORS__` and their bfloat16 kin
#include "half_check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <type_traits>
#include <utility>

using check::SmallFormat;

template <class T, class = void>
struct HasPlus : std::false_type {};
template <class T>
struct HasPlus<T, decltype(void(std::declval<T>() + std::declval<T>()))> : std::true_type {};

#define NOTHING_IMPLICIT(type)                               \
  static_assert(!std::is_convertible<float, type>::value);   \
  static_assert(!std::is_convertible<double, type>::value);  \
  static_assert(!std::is_convertible<int, type>::value);     \
  static_assert(!std::is_convertible<type, float>::value);   \
  static_assert(!std::is_convertible<type, int>::value);     \
  static_assert(!std::is_convertible<type, bool>::value);    \
  static_assert(!std::is_constructible<type, float>::value); \
  static_assert(!HasPlus<type>::value);                      \
  static_assert(std::is_trivially_copyable<type>::value)
/// Assigning from nothing is the pair's own assignment, from bits another one.
__host__ __device__ unsigned assigned(unsigned short low, unsigned short high) {
  __half2 pair = __halves2half2(__ushort_as_half(1), __ushort_as_half(2));
  pair = {};
  const bool is_zero = __half_as_ushort(pair.x) == 0 && __half_as_ushort(pair.y) == 0;
  __half2_raw raw;
  raw.x = low;
  raw.y = high;
  pair = raw;
  __nv_bfloat162 other = __halves2bfloat162(__ushort_as_bfloat16(3), __ushort_as_bfloat16(4));
  other = {};
  const bool is_other_zero =
      __bfloat16_as_ushort(other.x) == 0 && __bfloat16_as_ushort(other.y) == 0;
  if (!is_zero || !is_other_zero) return 0;
  return __half_as_ushort(pair.x) | unsigned(__half_as_ushort(pair.y)) << 16;
}
__global__ void assign(unsigned* out) { *out = assigned(0x1234, 0x5678); }

NOTHING_IMPLICIT(__half);
NOTHING_IMPLICIT(__nv_bfloat16);
static_assert(!HasPlus<__half2>::value && !HasPlus<__nv_bfloat162>::value);
static_assert(std::is_convertible<__half_raw, __half>::value);
static_assert(std::is_convertible<__half, __half_raw>::value);

// What such programs bring themselves. Each is not what the header's would be, so that the
// results tell whose was taken.
__host__ __device__ __half operator+(const __half& a, const __half& b) {
  return __hadd(__hadd(a, b), __ushort_as_half(0x3c00));
}
__host__ __device__ bool operator<(const __half& a, const __half& b) { return __hgt(a, b); }
__host__ __device__ __half2 operator*(const __half2& a, const __half2& b) { return __hadd2(a, b); }
__host__ __device__ __nv_bfloat16 operator-(const __nv_bfloat16& a, const __nv_bfloat16& b) {
  return __hadd(a, b);
}
__host__ __device__ __nv_bfloat162& operator+=(__nv_bfloat162& a, const __nv_bfloat162& b) {
  return a = __hmul2(a, b);
}
/// A number of their own, as PyTorch's c10::Half, that converts to the header's and back.
struct Own {
  unsigned short bits;
  __host__ __device__ Own(const __half& value) : bits(__half_as_ushort(value)) {}
  __host__ __device__ operator __half() const { return __ushort_as_half(bits); }
};

struct Results {
  __half plus, least, fused, rooted, chosen, through_own;
  __half2 times;
  __nv_bfloat16 minus, exponential;
  __nv_bfloat162 sum;
  unsigned char byte;
};

__host__ __device__ void compute(float x, float y, Results& out) {
  const __half a = __float2half(x), b = __float2half(y);
  out.plus = a + b;
  out.least = a < b ? a : b;
  out.fused = __hfma(a, b, a);
  out.rooted = hsqrt(__habs(a));
  out.chosen = __hmax(a, b);
  out.through_own = Own(a);
  out.times = __halves2half2(a, b) * __half2half2(b);
  const __nv_bfloat16 c = __float2bfloat16(x), d = __float2bfloat16(y);
  out.minus = c - d;
  out.exponential = hexp(d);
  out.sum = __halves2bfloat162(c, d);
  out.sum += __bfloat162bfloat162(d);
  out.byte = __nv_fp8_e4m3(a).__x;
}

__global__ void all(const float* x, const float* y, Results* out, int n) {
  const int i = check::global_index();
  if (i < n) compute(x[i], y[i], out[i]);
}

template <class T>
unsigned short bits_of(const T& value) {
  unsigned short bits;
  memcpy(&bits, &value, 2);
  return bits;
}

int main() {
  const SmallFormat half(5, 10), bfloat(8, 7);
  std::vector<float> x, y;
  for (int i = 0; i < 1237; ++i) {
    x.push_back(float(half.value(half.round((i - 600) * 0.37))));
    y.push_back(float(half.value(half.round(std::ldexp(i % 53 - 26.3, i % 5 - 2)))));
  }
  const int n = int(x.size());
  check::Array<float> dx(x), dy(y);
  check::Array<Results> out(n);
  all<<<(n + 94) / 95, 95>>>(dx.data(), dy.data(), out.data(), n);
  const std::vector<Results> got = out.get();
  check::Array<unsigned> bits(1);
  assign<<<1, 1>>>(bits.data());
  CHECK(bits.get()[0] == 0x56781234u && assigned(0x1234, 0x5678) == 0x56781234u);
  for (int i = 0; i < n; ++i) {
    Results host;
    compute(x[i], y[i], host);
    const double a = x[i], b = y[i];
    auto rounded = [&](double exact) { return half.value(half.round(exact)); };
    auto to_bfloat = [&](double exact) { return bfloat.value(bfloat.round(exact)); };
    const double c = to_bfloat(a), d = to_bfloat(b);
    for (const Results& r : {got[i], host}) {
      CHECK(bits_of(r.plus) == half.round(rounded(a + b) + 1));
      CHECK(bits_of(r.least) == half.round(a > b ? a : b));
      CHECK(bits_of(r.fused) == half.round(a * b + a));
      CHECK(bits_of(r.rooted) == half.round(std::sqrt(std::fabs(a))));
      CHECK(bits_of(r.chosen) == half.round(a > b ? a : b));
      CHECK(bits_of(r.through_own) == half.round(a));
      CHECK(bits_of(r.times.x) == half.round(a + b) && bits_of(r.times.y) == half.round(b + b));
      CHECK(bits_of(r.minus) == bfloat.round(c + d));
      CHECK(bits_of(r.sum.x) == bfloat.round(c * d) && bits_of(r.sum.y) == bfloat.round(d * d));
      const double exponential = bfloat.value(bits_of(r.exponential));
      CHECK(std::fabs(d) > 80 || std::fabs(exponential - std::exp(d)) <= std::exp(d) / 250);
    }
    CHECK(got[i].byte == host.byte);
  }
  return check::finish();
}
