// 8-bit floating-point numbers: every code, and rounding against a search for the nearest number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: 16-bit floating point | cuda_fp8.h: __nv_fp8_e4m3, __nv_fp8_e5m2, pairs and quadruples; conversions from and to float, double, half, bfloat16 and integers, with and without saturation
#include "check.h"

#include <cuda_fp8.h>

#include <cmath>

/// What every format's number means, from its definition.
double meaning(unsigned code, bool e4m3) {
  const int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const unsigned size = code & 0x7f;
  if (e4m3 ? size == 0x7f : size > 0x7c) return std::nan("");
  if (!e4m3 && size == 0x7c) return code & 0x80 ? -INFINITY : INFINITY;
  const int exponent = static_cast<int>(size >> fraction);
  const double part = std::ldexp(size & ((1u << fraction) - 1), -fraction);
  const double value =
      exponent == 0 ? std::ldexp(part, 1 - bias) : std::ldexp(1 + part, exponent - bias);
  return code & 0x80 ? -value : value;
}

unsigned nearest(double x, bool e4m3, bool saturates) {
  if (std::isnan(x)) return 0x7f;
  const unsigned sign = std::signbit(x) ? 0x80 : 0, largest = e4m3 ? 0x7e : 0x7b;
  const unsigned beyond = sign | (saturates ? largest : largest + 1);
  const double size = std::fabs(x);
  if (std::isinf(x)) return beyond;
  for (unsigned code = 0; code <= largest; ++code) {
    const double value = meaning(code, e4m3);
    const double step =
        code == largest ? value - meaning(code - 1, e4m3) : meaning(code + 1, e4m3) - value;
    const double middle = value + step / 2;
    if (size < middle || (size == middle && code % 2 == 0)) return sign | code;
  }
  return beyond;
}

constexpr int columns = 20;

template <class Byte, class Pair, class Four>
__host__ __device__ void convert(double d, double e, __nv_fp8_interpretation_t kind, unsigned* o) {
  const float f = static_cast<float>(d), g = static_cast<float>(e);
  o[0] = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind);
  o[1] = __nv_cvt_float_to_fp8(f, __NV_NOSAT, kind);
  o[2] = __nv_cvt_double_to_fp8(d, __NV_NOSAT, kind);
  o[3] = __nv_cvt_double2_to_fp8x2(double2{d, e}, __NV_SATFINITE, kind);
  o[4] = __nv_cvt_float2_to_fp8x2(float2{g, f}, __NV_NOSAT, kind);
  o[5] = __nv_cvt_halfraw_to_fp8(__half_raw(__half(f)), __NV_SATFINITE, kind);
  o[6] = __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(__nv_bfloat16(f)), __NV_NOSAT, kind);
  o[7] = __nv_cvt_halfraw2_to_fp8x2(__half2_raw(__half2(__half(f), __half(g))), __NV_NOSAT, kind);
  o[8] = Byte(f).__x;
  o[9] = Byte(d).__x;
  o[10] = Byte(__half(f)).__x;
  o[11] = Byte(__nv_bfloat16(g)).__x;
  o[12] = Pair(float2{f, g}).__x;
  o[13] = Pair(__half2(__half(f), __half(g))).__x;
  o[14] = Four(float4{f, g, g, f}).__x;
  o[15] = Four(__nv_bfloat162(f, g), __nv_bfloat162(g, f)).__x;
  const int whole = f > -1e6f && f < 1e6f ? static_cast<int>(f) : 7;
  o[16] = Byte(whole).__x;
  o[17] = Byte(static_cast<unsigned long long>(whole < 0 ? -whole : whole)).__x;
  o[18] = static_cast<unsigned>(static_cast<int>(Byte(f)));
  o[19] = static_cast<unsigned char>(Byte(f)) * 2 + static_cast<bool>(Byte(f));
}

__global__ void narrow(const double* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n) return;
  convert<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(in[i], in[i + 1], __NV_E4M3,
                                                           out + 2 * columns * i);
  convert<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(in[i], in[i + 1], __NV_E5M2,
                                                           out + 2 * columns * i + columns);
}

void expect(double d, double e, bool e4m3, unsigned* o) {
  const float f = static_cast<float>(d), g = static_cast<float>(e);
  const auto finite = [&](double x) { return nearest(x, e4m3, true); };
  const auto open = [&](double x) { return nearest(x, e4m3, false); };
  const float half = static_cast<float>(__half(f)), half_g = static_cast<float>(__half(g));
  const float brain = static_cast<float>(__nv_bfloat16(f)),
              brain_g = static_cast<float>(__nv_bfloat16(g));
  o[0] = o[8] = finite(f);
  o[1] = open(f);
  o[2] = open(d);
  o[3] = finite(d) | finite(e) << 8;
  o[4] = open(g) | open(f) << 8;
  o[5] = o[10] = finite(half);
  o[6] = open(brain);
  o[7] = open(half) | open(half_g) << 8;
  o[9] = finite(d);
  o[11] = finite(brain_g);
  o[12] = finite(f) | finite(g) << 8;
  o[13] = finite(half) | finite(half_g) << 8;
  o[14] = finite(f) | finite(g) << 8 | finite(g) << 16 | finite(f) << 24;
  o[15] = finite(brain) | finite(brain_g) << 8 | finite(brain_g) << 16 | finite(brain) << 24;
  const int whole = f > -1e6f && f < 1e6f ? static_cast<int>(f) : 7;
  o[16] = finite(whole);
  o[17] = finite(std::abs(whole));
  const double byte = meaning(finite(f), e4m3);
  o[18] = std::isnan(byte) ? 0 : static_cast<unsigned>(static_cast<int>(byte));
  const int small = std::isnan(byte) || byte <= 0 ? 0 : byte >= 255 ? 255 : static_cast<int>(byte);
  o[19] = static_cast<unsigned>(small * 2 + (std::isnan(byte) || byte != 0));
}

template <class Byte, class Pair, class Four>
__host__ __device__ void widen(unsigned code, float* o) {
  Byte byte;
  byte.__x = static_cast<__nv_fp8_storage_t>(code);
  o[0] = static_cast<float>(byte);
  o[1] = static_cast<float>(static_cast<double>(byte));
  o[2] = static_cast<float>(static_cast<__half>(byte));
  o[3] = static_cast<float>(static_cast<__nv_bfloat16>(byte));
  Pair pair;
  pair.__x = static_cast<__nv_fp8x2_storage_t>(code << 8 | (code ^ 0xff));
  o[4] = static_cast<float2>(pair).y;
  o[5] = static_cast<float>(static_cast<__half2>(pair).x);
  Four four;
  four.__x = code << 24 | code << 8;
  o[6] = static_cast<float4>(four).w - static_cast<float4>(four).z;
  o[7] = static_cast<float4>(four).y;
}

__global__ void open_all(float* out) {
  const unsigned code = blockIdx.x * blockDim.x + threadIdx.x;
  if (code >= 256) return;
  widen<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(code, out + 16 * code);
  widen<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(code, out + 16 * code + 8);
}

void test_widening() {
  check::Array<float> out(256 * 16);
  open_all<<<7, 37>>>(out.data());
  std::vector<float> want(256 * 16), host(256 * 16);
  for (unsigned code = 0; code < 256; ++code) {
    for (int k = 0; k < 16; ++k)
      want[16 * code + k] = static_cast<float>(meaning(k % 8 == 5 ? code ^ 0xff : code, k < 8));
    widen<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(code, &host[16 * code]);
    widen<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(code, &host[16 * code + 8]);
  }
  check::equal("widened", out.get(), want);
  check::equal("widened by the host", host, want);
}

void test_narrowing() {
  check::Random random(967);
  std::vector<double> in = {0.0,       -0.0,
                            1.0,       INFINITY,
                            -INFINITY, NAN,
                            448,       464,
                            465,       -464.5,
                            480,       57344,
                            61440,     61441,
                            -65536,    1e300,
                            1e-300,    5e-324,
                            0x1p-10,   0x1p-17,
                            0x1.8p-10, 0x1.0000000001p-10};
  for (unsigned code = 0; code < 127; ++code)  // each tie, and a little to both sides
    for (bool e4m3 : {true, false}) {
      const double a = meaning(code, e4m3), b = meaning(code + 1, e4m3);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      for (double x :
           {a, (a + b) / 2, std::nextafter((a + b) / 2, 0.0), std::nextafter((a + b) / 2, 1e9)})
        in.push_back(code % 3 ? x : -x);
    }
  for (int i = 0; i < 500; ++i)
    in.push_back(std::ldexp(random.real(-1, 1), static_cast<int>(random.integer(-20, 20))));
  const int n = static_cast<int>(in.size());
  check::Array<double> source(in);
  check::Array<unsigned> out(2 * columns * (n - 1));
  narrow<<<(n + 62) / 63, 63>>>(source.data(), out.data(), n);
  std::vector<unsigned> want(2 * columns * (n - 1)), host(want);
  for (int i = 0; i + 1 < n; ++i) {
    unsigned *w = &want[2 * columns * i], *h = &host[2 * columns * i];
    expect(in[i], in[i + 1], true, w);
    expect(in[i], in[i + 1], false, w + columns);
    convert<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(in[i], in[i + 1], __NV_E4M3, h);
    convert<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(in[i], in[i + 1], __NV_E5M2,
                                                             h + columns);
  }
  check::equal("narrowed", out.get(), want);
  check::equal("narrowed by the host", host, want);
}

int main() {
  test_widening();
  test_narrowing();
  return check::finish();
}
