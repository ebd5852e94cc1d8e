// Floating-point numbers of 6 and 4 bits and scales of 8: every code, and rounding against a
// search. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: 16-bit floating point | cuda_fp6.h, cuda_fp4.h: __nv_fp6_e2m3, __nv_fp6_e3m2, __nv_fp4_e2m1, pairs and quadruples; __nv_fp8_e8m0; conversions from and to float, double, half, bfloat16 and integers, in every rounding
#include "check.h"

#include <cuda_fp4.h>
#include <cuda_fp6.h>

#include <cmath>

struct Format {
  int fraction, bias, sign_bit;
  unsigned largest() const { return (1u << sign_bit) - 1; }
  /// What a number means, from the definition.
  double meaning(unsigned code) const {
    const unsigned size = code & largest();
    const int exponent = static_cast<int>(size >> fraction);
    const double part = std::ldexp(size & ((1u << fraction) - 1), -fraction);
    const double value =
        exponent == 0 ? std::ldexp(part, 1 - bias) : std::ldexp(1 + part, exponent - bias);
    return code >> sign_bit & 1 ? -value : value;
  }
  /// By a search.
  unsigned rounded(double x, cudaRoundMode mode) const {
    if (std::isnan(x)) return largest();
    const unsigned sign = std::signbit(x) ? 1u << sign_bit : 0;
    const double size = std::fabs(x);
    unsigned below = 0;
    while (below < largest() && meaning(below + 1) <= size) ++below;
    if (below == largest() || meaning(below) == size) return sign | below;
    const double middle = (meaning(below) + meaning(below + 1)) / 2;
    bool away = mode == (sign ? cudaRoundMinInf : cudaRoundPosInf);
    if (mode == cudaRoundNearest) away = size > middle || (size == middle && below % 2 == 1);
    return sign | (below + away);
  }
};
constexpr Format e2m3 = {3, 1, 5}, e3m2 = {2, 3, 5}, e2m1 = {1, 1, 3};

/// The scale that a magnitude becomes.
unsigned scale_of(double x, bool up, bool saturates) {
  if (std::isnan(x)) return 255;
  const double size = std::fabs(x);
  if (size > 0x1p127) return !saturates && (std::isinf(x) || up || size >= 0x1p128) ? 255 : 254;
  unsigned code = 0;
  while (code < 254 && std::ldexp(1, static_cast<int>(code) + 1 - 127) <= size) ++code;
  const bool is_exact = std::ldexp(1, static_cast<int>(code) - 127) >= size;
  return code + (up && !is_exact);
}

constexpr int columns = 20, kinds = 3;

#define GRIDSPAN_CONVERT(bits, pair_bits)                                                      \
  template <class Number, class Pair, class Four>                                              \
  __host__ __device__ void convert(double d, double e, __nv_fp##bits##_interpretation_t kind,  \
                                   unsigned* o) {                                              \
    const float f = static_cast<float>(d), g = static_cast<float>(e);                          \
    o[0] = __nv_cvt_float_to_fp##bits(f, kind, cudaRoundNearest);                              \
    o[1] = __nv_cvt_float_to_fp##bits(f, kind, cudaRoundZero);                                 \
    o[2] = __nv_cvt_double_to_fp##bits(d, kind, cudaRoundPosInf);                              \
    o[3] = __nv_cvt_double2_to_fp##bits##x2(double2{d, e}, kind, cudaRoundMinInf);             \
    o[4] = __nv_cvt_float2_to_fp##bits##x2(float2{g, f}, kind, cudaRoundNearest);              \
    o[5] = __nv_cvt_halfraw_to_fp##bits(__half_raw(__half(f)), kind, cudaRoundNearest);        \
    o[6] = __nv_cvt_bfloat16raw_to_fp##bits(__nv_bfloat16_raw(__nv_bfloat16(f)), kind,         \
                                            cudaRoundNearest);                                 \
    o[7] = __nv_cvt_halfraw2_to_fp##bits##x2(__half2_raw(__half2(__half(f), __half(g))), kind, \
                                             cudaRoundZero);                                   \
    o[8] = Number(f).__x;                                                                      \
    o[9] = Number(d).__x;                                                                      \
    o[10] = Number(__half(f)).__x;                                                             \
    o[11] = Number(__nv_bfloat16(g)).__x;                                                      \
    o[12] = Pair(float2{f, g}).__x;                                                            \
    o[13] = Pair(__half2(__half(f), __half(g))).__x;                                           \
    o[14] = Four(float4{f, g, g, f}).__x;                                                      \
    o[15] = Four(__nv_bfloat162(f, g), __nv_bfloat162(g, f)).__x;                              \
    const int whole = f > -1e6f && f < 1e6f ? static_cast<int>(f) : 7;                         \
    o[16] = Number(whole).__x;                                                                 \
    o[17] = Number(static_cast<unsigned long long>(whole < 0 ? -whole : whole)).__x;           \
    o[18] = static_cast<unsigned>(static_cast<int>(Number(f)));                                \
    o[19] = static_cast<unsigned char>(Number(f)) * 2 + static_cast<bool>(Number(f));          \
  }                                                                                            \
  template <class Number, class Pair, class Four>                                              \
  __host__ __device__ void widen(unsigned code, __nv_fp##bits##_interpretation_t, float* o) {  \
    Number number;                                                                             \
    number.__x = static_cast<__nv_fp##bits##_storage_t>(code);                                 \
    o[0] = static_cast<float>(number);                                                         \
    o[1] = static_cast<float>(static_cast<double>(number));                                    \
    o[2] = static_cast<float>(static_cast<__half>(number));                                    \
    o[3] = static_cast<float>(static_cast<__nv_bfloat16>(number));                             \
    Pair pair;                                                                                 \
    pair.__x = static_cast<__nv_fp##bits##x2_storage_t>(code << pair_bits | (code ^ 1));       \
    o[4] = static_cast<float2>(pair).y;                                                        \
    o[5] = static_cast<float>(static_cast<__half2>(pair).x);                                   \
    Four four;                                                                                 \
    four.__x =                                                                                 \
        static_cast<__nv_fp##bits##x4_storage_t>(code << 3 * pair_bits | code << pair_bits);   \
    o[6] = static_cast<float4>(four).w - static_cast<float4>(four).z;                          \
    o[7] = static_cast<float4>(four).y;                                                        \
  }
GRIDSPAN_CONVERT(6, 8)
GRIDSPAN_CONVERT(4, 4)

__host__ __device__ void convert_all(double d, double e, unsigned* o) {
  convert<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3>(d, e, __NV_E2M3, o);
  convert<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2>(d, e, __NV_E3M2, o + columns);
  convert<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(d, e, __NV_E2M1, o + 2 * columns);
}

void expect(double d, double e, const Format& to, int pair_bits, unsigned* o) {
  const float f = static_cast<float>(d), g = static_cast<float>(e);
  const auto near = [&](double x) { return to.rounded(x, cudaRoundNearest); };
  const float half = static_cast<float>(__half(f)), half_g = static_cast<float>(__half(g));
  const float brain = static_cast<float>(__nv_bfloat16(f)),
              brain_g = static_cast<float>(__nv_bfloat16(g));
  o[0] = o[8] = near(f);
  o[1] = to.rounded(f, cudaRoundZero);
  o[2] = to.rounded(d, cudaRoundPosInf);
  o[3] = to.rounded(d, cudaRoundMinInf) | to.rounded(e, cudaRoundMinInf) << pair_bits;
  o[4] = near(g) | near(f) << pair_bits;
  o[5] = o[10] = near(half);
  o[6] = near(brain);
  o[7] = to.rounded(half, cudaRoundZero) | to.rounded(half_g, cudaRoundZero) << pair_bits;
  o[9] = near(d);
  o[11] = near(brain_g);
  o[12] = near(f) | near(g) << pair_bits;
  o[13] = near(half) | near(half_g) << pair_bits;
  const auto four = [&](double x, double y) {
    return near(x) | near(y) << pair_bits | near(y) << 2 * pair_bits | near(x) << 3 * pair_bits;
  };
  o[14] = four(f, g);
  o[15] = four(brain, brain_g);
  const int whole = f > -1e6f && f < 1e6f ? static_cast<int>(f) : 7;
  o[16] = near(whole);
  o[17] = near(std::abs(whole));
  const double number = to.meaning(near(f));
  o[18] = static_cast<unsigned>(static_cast<int>(number));
  o[19] = static_cast<unsigned>((number <= 0 ? 0 : static_cast<int>(number)) * 2 + (number != 0));
}

__global__ void narrow(const double* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) convert_all(in[i], in[i + 1], out + kinds * columns * i);
}

__host__ __device__ void widen_all(unsigned code, float* o) {
  widen<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3>(code, __NV_E2M3, o);
  widen<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2>(code, __NV_E3M2, o + 8);
  widen<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(code & 15, __NV_E2M1, o + 16);
}
__global__ void open_all(float* out) {
  const unsigned code = blockIdx.x * blockDim.x + threadIdx.x;
  if (code < 64) widen_all(code, out + 24 * code);
}

void test_widening() {
  check::Array<float> out(64 * 24);
  open_all<<<3, 37>>>(out.data());
  std::vector<float> want(64 * 24), host(64 * 24);
  for (unsigned code = 0; code < 64; ++code) {
    for (int k = 0; k < 24; ++k) {
      const Format& format = k < 8 ? e2m3 : k < 16 ? e3m2 : e2m1;
      want[24 * code + k] = static_cast<float>(format.meaning(k % 8 == 5 ? code ^ 1 : code));
    }
    // Codes of four bits: the sign is bit 3.
    for (int k = 16; k < 24; ++k)
      want[24 * code + k] =
          static_cast<float>(e2m1.meaning(k % 8 == 5 ? (code & 15) ^ 1 : code & 15));
    widen_all(code, &host[24 * code]);
  }
  check::equal("widened", out.get(), want);
  check::equal("widened by the host", host, want);
}

std::vector<double> numbers() {
  check::Random random(971);
  std::vector<double> in = {0.0,    -0.0,    1.0,     INFINITY,   -INFINITY,
                            NAN,    5,       5.5,     6,          6.01,
                            7,      7.5,     7.75,    8,          28,
                            30,     32,      -100,    1e300,      1e-300,
                            5e-324, 0x1p-10, 0x1p-17, -0x1.8p-10, 0x1.0000000001p-10};
  for (const Format& format : {e2m3, e3m2, e2m1})
    for (unsigned code = 0; code < format.largest(); ++code) {
      const double a = format.meaning(code), b = format.meaning(code + 1);
      for (double x :
           {a, (a + b) / 2, std::nextafter((a + b) / 2, 0.0), std::nextafter((a + b) / 2, 1e9)})
        in.push_back(code % 3 ? x : -x);
    }
  for (int i = 0; i < 500; ++i)
    in.push_back(std::ldexp(random.real(-1, 1), static_cast<int>(random.integer(-8, 8))));
  return in;
}

void test_narrowing() {
  const std::vector<double> in = numbers();
  const int n = static_cast<int>(in.size());
  check::Array<double> source(in);
  check::Array<unsigned> out(kinds * columns * (n - 1));
  narrow<<<(n + 62) / 63, 63>>>(source.data(), out.data(), n);
  std::vector<unsigned> want(kinds * columns * (n - 1)), host(want);
  for (int i = 0; i + 1 < n; ++i) {
    unsigned* const w = &want[kinds * columns * i];
    expect(in[i], in[i + 1], e2m3, 8, w);
    expect(in[i], in[i + 1], e3m2, 8, w + columns);
    expect(in[i], in[i + 1], e2m1, 4, w + 2 * columns);
    convert_all(in[i], in[i + 1], &host[kinds * columns * i]);
  }
  check::equal("narrowed", out.get(), want);
  check::equal("narrowed by the host", host, want);
}

constexpr int scale_columns = 14;

__host__ __device__ void scale(double d, double e, unsigned* o) {
  const float f = static_cast<float>(d), g = static_cast<float>(e);
  o[0] = __nv_cvt_double_to_e8m0(d, __NV_SATFINITE, cudaRoundPosInf);
  o[1] = __nv_cvt_double_to_e8m0(d, __NV_NOSAT, cudaRoundZero);
  o[2] = __nv_cvt_float_to_e8m0(f, __NV_NOSAT, cudaRoundPosInf);
  o[3] = __nv_cvt_float2_to_e8m0x2(float2{f, g}, __NV_SATFINITE, cudaRoundZero);
  o[4] = __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw(__nv_bfloat16(f)), __NV_NOSAT,
                                      cudaRoundPosInf);
  o[5] = __nv_fp8_e8m0(f).__x;
  o[6] = __nv_fp8_e8m0(d).__x;
  o[7] = __nv_fp8x2_e8m0(float2{g, f}).__x;
  o[8] = __nv_fp8x4_e8m0(float4{f, g, g, f}).__x;
  const long long whole = f > -1e6f && f < 1e6f ? static_cast<long long>(f) : 0x1000000000000001;
  o[9] = __nv_fp8_e8m0(whole).__x;
  o[10] = __nv_fp8_e8m0(static_cast<unsigned long long>(whole)).__x;
  o[11] = __nv_fp8_e8m0(static_cast<short>(whole)).__x;
  __nv_fp8_e8m0 made;
  made.__x = static_cast<__nv_fp8_storage_t>(o[0]);
  const float back = static_cast<float>(made);
  o[12] = __builtin_bit_cast(unsigned, back);
  o[13] = static_cast<unsigned>(static_cast<int>(made));
}
void expect_scale(double d, double e, unsigned* o) {
  const float f = static_cast<float>(d), g = static_cast<float>(e);
  o[0] = o[6] = scale_of(d, true, true);
  o[1] = scale_of(d, false, false);
  o[2] = scale_of(f, true, false);
  o[3] = scale_of(f, false, true) | scale_of(g, false, true) << 8;
  o[4] = scale_of(static_cast<float>(__nv_bfloat16(f)), true, false);
  o[5] = scale_of(f, true, true);
  o[7] = scale_of(g, true, true) | o[5] << 8;
  o[8] = o[5] | (o[7] & 255) << 8 | (o[7] & 255) << 16 | o[5] << 24;
  const bool is_small = f > -1e6f && f < 1e6f;
  const long long whole = is_small ? static_cast<long long>(f) : 0x1000000000000001;
  o[9] = is_small ? scale_of(static_cast<double>(whole), true, true) : 127 + 61;
  o[10] = is_small ? whole < 0 ? 127 + 64 : o[9] : 127 + 61;
  o[11] = scale_of(static_cast<short>(whole), true, true);
  const float back = o[0] == 255 ? NAN : std::ldexp(1.0f, static_cast<int>(o[0]) - 127);
  o[12] = o[0] == 255 ? 0x7fff0000 : __builtin_bit_cast(unsigned, back);
  o[13] = o[0] == 255 ? 0 : back >= 0x1p31f ? 0x7fffffff : static_cast<unsigned>(back);
}
__global__ void scales(const double* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) scale(in[i], in[i + 1], out + scale_columns * i);
}

void test_scales() {
  std::vector<double> in = numbers();
  for (int power = -160; power < 140; power += 3)
    for (double x : {1.0, 0x1.0000000000001p0, 0x1.fffffffffffffp0, 1.5})
      in.push_back(std::ldexp(power % 2 ? x : -x, power));
  for (double x : {0x1p127, 0x1.8p127, 0x1p128, 0x1p-127, 0x1.1p-127, 0x1p-128}) in.push_back(x);
  const int n = static_cast<int>(in.size());
  check::Array<double> source(in);
  check::Array<unsigned> out(scale_columns * (n - 1));
  scales<<<(n + 62) / 63, 63>>>(source.data(), out.data(), n);
  std::vector<unsigned> want(scale_columns * (n - 1)), host(want);
  for (int i = 0; i + 1 < n; ++i) {
    expect_scale(in[i], in[i + 1], &want[scale_columns * i]);
    scale(in[i], in[i + 1], &host[scale_columns * i]);
  }
  check::equal("scales", out.get(), want);
  check::equal("scales of the host", host, want);
}

int main() {
  test_widening();
  test_narrowing();
  test_scales();
  return check::finish();
}
