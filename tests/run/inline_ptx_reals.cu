// Floating-point instructions and conversions in inline PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Inline PTX | add, sub, mul, fma, mad, div, rcp, sqrt, min, max, abs, neg, copysign, testp on float and double, roundings, .ftz, .sat; rsqrt, ex2, lg2, sin, cos, tanh .approx
// FEATURE: Inline PTX | cvt between integers, float, double, f16, bf16, their pairs, e4m3x2, e5m2x2, tf32; roundings, saturation
// FEATURE: Inline PTX | f16, f16x2, bf16x2 arithmetic
#include "check.h"

#include <cfenv>
#include <cmath>
#include <limits>

#define F2(text)                           \
  ({                                       \
    float r_;                              \
    asm(text : "=f"(r_) : "f"(a), "f"(b)); \
    r_;                                    \
  })
#define F3(text)                                   \
  ({                                               \
    float r_;                                      \
    asm(text : "=f"(r_) : "f"(a), "f"(b), "f"(c)); \
    r_;                                            \
  })
#define D2(text)                           \
  ({                                       \
    double r_;                             \
    asm(text : "=d"(r_) : "d"(x), "d"(y)); \
    r_;                                    \
  })
#define D3(text)                                   \
  ({                                               \
    double r_;                                     \
    asm(text : "=d"(r_) : "d"(x), "d"(y), "d"(z)); \
    r_;                                            \
  })
#define I(text)                    \
  ({                               \
    unsigned r_;                   \
    asm(text : "=r"(r_) : "f"(a)); \
    r_;                            \
  })
#define ID(text)                   \
  ({                               \
    unsigned long long r_;         \
    asm(text : "=l"(r_) : "d"(x)); \
    r_;                            \
  })
#define P2(text)                           \
  ({                                       \
    unsigned r_;                           \
    asm(text : "=r"(r_) : "r"(p), "r"(q)); \
    r_;                                    \
  })

constexpr int floats = 32, doubles = 12, words = 40;

__global__ void device(const float* in, float* out, double* wide, unsigned long long* bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  const double x = a, y = b * 1.0000000001, z = c;
  float* o = out + floats * i;
  o[0] = F2("add.f32 %0, %1, %2;");
  o[1] = F2("sub.rn.f32 %0, %1, %2;");
  o[2] = F2("mul.f32 %0, %1, %2;");
  o[3] = F3("fma.rn.f32 %0, %1, %2, %3;");
  o[4] = F2("add.rz.f32 %0, %1, %2;");
  o[5] = F2("sub.rp.f32 %0, %1, %2;");
  o[6] = F2("mul.rm.f32 %0, %1, %2;");
  o[7] = F3("fma.rp.f32 %0, %1, %2, %3;");
  o[8] = F2("div.rn.f32 %0, %1, %2;");
  o[9] = F2("min.f32 %0, %1, %2;");
  o[10] = F2("max.f32 %0, %1, %2;");
  o[11] = F2("max.NaN.f32 %0, %1, %2;");
  o[12] = F2("copysign.f32 %0, %1, %2;");
  o[13] = F2("add.sat.f32 %0, %1, %2;");
  o[14] = F2("mul.ftz.f32 %0, %1, %2;");
  o[15] = F2("{ .reg .f32 t; abs.f32 t, %1; sqrt.rn.f32 %0, t; }");
  o[16] = F2("{ .reg .f32 t; neg.f32 t, %1; mov.f32 %0, t; }");
  o[17] = F2("rcp.rn.f32 %0, %2;");
  o[18] = F2("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.f32 %0, 0f3F800000, 0f00000000, p; }");
  o[19] = F2("{ .reg .pred p; testp.normal.f32 p, %1; selp.f32 %0, 1.0, 2.5, p; }");
  o[20] = F2("set.gt.f32.f32 %0, %1, %2;");
  // Approximations.
  o[21] = F2("div.approx.f32 %0, %1, %2;");
  o[22] = F2("{ .reg .f32 t; abs.f32 t, %1; rsqrt.approx.ftz.f32 %0, t; }");
  o[23] = F2("{ .reg .f32 t; mul.f32 t, %1, 0f3C23D70A; ex2.approx.ftz.f32 %0, t; }");
  o[24] = F2("{ .reg .f32 t; abs.f32 t, %1; lg2.approx.f32 %0, t; }");
  o[25] = F2("rcp.approx.ftz.f32 %0, %2;");
  o[26] = F2("tanh.approx.f32 %0, %1;");
  o[27] = F2("{ .reg .f32 t; abs.f32 t, %1; sqrt.approx.f32 %0, t; }");
  o[28] = F2("sin.approx.f32 %0, %1;");
  double* d = wide + doubles * i;
  d[0] = D2("add.f64 %0, %1, %2;");
  d[1] = D2("mul.rz.f64 %0, %1, %2;");
  d[2] = D3("fma.rn.f64 %0, %1, %2, %3;");
  d[3] = D2("div.rn.f64 %0, %1, %2;");
  d[4] = D2("min.f64 %0, %1, %2;");
  d[5] = D2("sub.rm.f64 %0, %1, %2;");
  d[6] = D2("rcp.rn.f64 %0, %2;");
  asm("cvt.f64.f32 %0, %1;" : "=d"(d[7]) : "f"(a));
  asm("cvt.rn.f64.s64 %0, %1;" : "=d"(d[8]) : "l"(0x123456789abcdefll * (i - 50)));
  asm("cvt.rmi.f64.f64 %0, %1;" : "=d"(d[9]) : "d"(y));
  d[10] = D3("mad.rn.f64 %0, %1, %2, %3;");
  asm("mov.f64 %0, 0d3FF8000000000000;" : "=d"(d[11]));
  unsigned long long* w = bits + words * i;
  w[0] = I("cvt.rni.s32.f32 %0, %1;");
  w[1] = I("cvt.rzi.u32.f32 %0, %1;");
  w[2] = I("cvt.rmi.s32.f32 %0, %1;");
  w[3] = I("cvt.rpi.s32.f32 %0, %1;");
  w[4] = I("cvt.rni.sat.u8.f32 %0, %1;");
  w[5] = ID("cvt.rzi.s64.f64 %0, %1;");
  w[6] = ID("cvt.rni.u64.f64 %0, %1;");
  w[7] = I("cvt.rzi.s16.f32 %0, %1;");
  float f;
  asm("cvt.rn.f32.u32 %0, %1;" : "=f"(f) : "r"(i * 2654435761u));
  w[8] = __float_as_uint(f);
  asm("cvt.rz.f32.s32 %0, %1;" : "=f"(f) : "r"(i * 2654435761u));
  w[9] = __float_as_uint(f);
  asm("cvt.rp.f32.f64 %0, %1;" : "=f"(f) : "d"(y));
  w[10] = __float_as_uint(f);
  asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(f) : "f"(a));
  w[11] = __float_as_uint(f);
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(f) : "f"(a));
  w[12] = __float_as_uint(f);
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
  w[13] = h;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(h) : "f"(b));
  w[14] = h;
  asm("{ .reg .b16 t; cvt.rn.f16.f32 t, %1; cvt.f32.f16 %0, t; }" : "=f"(f) : "f"(c));
  w[15] = __float_as_uint(f);
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(a));
  w[16] = h;
  unsigned p, q;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(p) : "f"(a), "f"(b));
  w[17] = p;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(q) : "f"(c), "f"(a));
  w[18] = P2("add.rn.f16x2 %0, %1, %2;");
  w[19] = P2("mul.f16x2 %0, %1, %2;");
  w[20] = P2("fma.rn.f16x2 %0, %1, %2, %1;");
  w[21] = P2("max.f16x2 %0, %1, %2;");
  w[22] = P2("{ .reg .b16 t, u, v; mov.b32 {t, u}, %1; sub.f16 v, t, u; mov.b32 %0, {v, t}; }");
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(p) : "f"(a), "f"(b));
  w[23] = p;
  asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(q) : "f"(c), "f"(a));
  w[24] = q;
  w[25] = P2("fma.rn.bf16x2 %0, %1, %2, %1;");
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(a), "f"(b));
  w[26] = h;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(p) : "h"(h));
  w[27] = p;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(h) : "f"(a), "f"(b));
  w[28] = h;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(p) : "h"(h));
  w[29] = p;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(p) : "f"(a));
  w[30] = p;
  w[31] = I("{ .reg .pred p; setp.neu.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }");
}

template <class T, class F>
T with_rounding(int mode, F compute) {
  std::fesetround(mode);
  volatile T result = compute();
  std::fesetround(FE_TONEAREST);
  return result;
}

/// Every number of a small format, to round by looking for the nearest one.
struct Format {
  int bits, fraction, bias;
  unsigned largest, infinity, nan;

  double value(unsigned code) const {
    const unsigned magnitude = code & ((1u << (bits - 1)) - 1);
    const int exponent = static_cast<int>(magnitude >> fraction);
    const double part = std::ldexp(magnitude & ((1u << fraction) - 1), -fraction);
    const double size =
        exponent == 0 ? std::ldexp(part, 1 - bias) : std::ldexp(1 + part, exponent - bias);
    return code >> (bits - 1) ? -size : size;
  }
  unsigned nearest(double x, bool saturates = false) const {
    if (std::isnan(x)) return nan;
    const unsigned sign = std::signbit(x) ? 1u << (bits - 1) : 0;
    const double size = std::fabs(x);
    unsigned low = 0, high = largest;  // the largest number that is not above
    while (low < high) {
      const unsigned middle = (low + high + 1) / 2;
      if (value(middle) <= size)
        low = middle;
      else
        high = middle - 1;
    }
    // One step beyond the largest number, as if the format went on.
    const double above = low == largest ? 2 * value(largest) - value(largest - 1) : value(low + 1);
    const double middle = (value(low) + above) / 2;
    const bool up = size > middle || (size == middle && (low & 1));
    if (low == largest && (up || std::isinf(size))) return sign | (saturates ? largest : infinity);
    return sign | (low + up);
  }
  unsigned toward_zero(double x) const {
    if (std::isnan(x) || std::isinf(x)) return nearest(x);
    const unsigned code = nearest(x), size = code & ((1u << (bits - 1)) - 1);
    const bool beyond = size > largest || std::fabs(value(code)) > std::fabs(x);
    return beyond ? code - 1 : code;
  }
};
const Format half{16, 10, 15, 0x7bff, 0x7c00, 0x7fff}, bfloat{16, 7, 127, 0x7f7f, 0x7f80, 0x7fff};
const Format e4m3{8, 3, 7, 0x7e, 0x7f, 0x7f}, e5m2{8, 2, 15, 0x7b, 0x7c, 0x7f};

double half_value(unsigned code) {
  const unsigned size = code & 0x7fff;
  if (size > 0x7c00) return std::nan("");
  if (size == 0x7c00) return code >> 15 ? -INFINITY : INFINITY;
  return half.value(code);
}
double bfloat_value(unsigned code) {
  float f;
  const unsigned bits = code << 16;
  std::memcpy(&f, &bits, 4);
  return f;
}
unsigned bits_of(float f) {
  unsigned u;
  std::memcpy(&u, &f, 4);
  return u;
}
float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
float lesser(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
float greater(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
template <class Int>
Int clamped(double x) {
  if (std::isnan(x)) return 0;
  if (x <= static_cast<double>(std::numeric_limits<Int>::min()))
    return std::numeric_limits<Int>::min();
  return x >= static_cast<double>(std::numeric_limits<Int>::max()) ? std::numeric_limits<Int>::max()
                                                                   : static_cast<Int>(x);
}
template <class F>
unsigned pairs(unsigned p, unsigned q, F each) {
  return each(p >> 16, q >> 16) << 16 | each(p & 0xffff, q & 0xffff);
}

void host_floats(float a, float b, float c, float* o) {
  volatile float va = a, vb = b, vc = c;
  o[0] = a + b;
  o[1] = a - b;
  o[2] = a * b;
  o[3] = std::fmaf(a, b, c);
  o[4] = with_rounding<float>(FE_TOWARDZERO, [&] { return va + vb; });
  o[5] = with_rounding<float>(FE_UPWARD, [&] { return va - vb; });
  o[6] = with_rounding<float>(FE_DOWNWARD, [&] { return va * vb; });
  o[7] = with_rounding<float>(FE_UPWARD, [&] { return std::fmaf(va, vb, vc); });
  o[8] = a / b;
  o[9] = lesser(a, b);
  o[10] = greater(a, b);
  o[11] = std::isnan(a) || std::isnan(b) ? std::nanf("") : greater(a, b);
  o[12] = std::copysign(b, a);
  const float sum = a + b;
  o[13] = sum > 0 ? (sum < 1 ? sum : 1.0f) : 0.0f;
  o[14] = flushed(flushed(a) * flushed(b));
  o[15] = std::sqrt(std::fabs(a));
  o[16] = -a;
  o[17] = 1.0f / b;
  o[18] = !(a >= b);
  o[19] = std::isnormal(a) || a == 0 ? 1.0f : 2.5f;
  o[20] = a > b;
}

void host_doubles(float a, float b, float c, int i, double* d) {
  const double y = b * 1.0000000001;
  volatile double vx = a, vy = y;
  d[0] = a + y;
  d[1] = with_rounding<double>(FE_TOWARDZERO, [&] { return vx * vy; });
  d[2] = d[10] = std::fma(static_cast<double>(a), y, static_cast<double>(c));
  d[3] = a / y;
  d[4] = std::isnan(a) ? y : std::isnan(y) ? a : std::fmin(a, y);
  d[5] = with_rounding<double>(FE_DOWNWARD, [&] { return vx - vy; });
  d[6] = 1.0 / y;
  d[7] = a;
  d[8] = static_cast<double>(0x123456789abcdefll * (i - 50));
  d[9] = std::floor(y);
  d[11] = 1.5;
}

void host_words(float a, float b, float c, int i, unsigned long long* w) {
  volatile double y = b * 1.0000000001;
  const bool is_nan = std::isnan(a);
  w[0] = static_cast<unsigned>(clamped<int>(std::nearbyint(a)));
  w[1] = clamped<unsigned>(std::trunc(a));
  w[2] = static_cast<unsigned>(clamped<int>(std::floor(a)));
  w[3] = static_cast<unsigned>(clamped<int>(std::ceil(a)));
  w[4] = clamped<unsigned char>(std::nearbyint(a));
  w[5] = is_nan ? 1ull << 63 : static_cast<unsigned long long>(clamped<long long>(a));
  w[6] = is_nan ? 1ull << 63 : clamped<unsigned long long>(std::nearbyint(a));
  w[7] = static_cast<unsigned>(clamped<short>(std::trunc(a)));
  volatile unsigned spread = i * 2654435761u;
  w[8] = bits_of(static_cast<float>(spread));
  w[9] = bits_of(with_rounding<float>(
      FE_TOWARDZERO, [&] { return static_cast<float>(static_cast<int>(spread)); }));
  w[10] = bits_of(with_rounding<float>(FE_UPWARD, [&] { return static_cast<float>(y); }));
  w[11] = bits_of(std::ceil(a));
  w[12] = bits_of(a > 0 ? (a < 1 ? a : 1.0f) : 0.0f);
  w[13] = half.nearest(a);
  w[14] = half.toward_zero(b);
  w[15] = bits_of(static_cast<float>(half_value(half.nearest(c))));
  w[16] = bfloat.nearest(a);
  unsigned p = half.nearest(a) << 16 | half.nearest(b), q = half.nearest(c) << 16 | half.nearest(a);
  w[17] = p;
  w[18] = pairs(p, q,
                [](unsigned s, unsigned t) { return half.nearest(half_value(s) + half_value(t)); });
  w[19] = pairs(p, q,
                [](unsigned s, unsigned t) { return half.nearest(half_value(s) * half_value(t)); });
  w[20] = pairs(p, q, [](unsigned s, unsigned t) {
    return half.nearest(std::fma(half_value(s), half_value(t), half_value(s)));
  });
  w[21] = pairs(p, q, [](unsigned s, unsigned t) {
    return half.nearest(
        greater(static_cast<float>(half_value(s)), static_cast<float>(half_value(t))));
  });
  w[22] = (p & 0xffff) << 16 | half.nearest(half_value(p & 0xffff) - half_value(p >> 16));
  p = bfloat.nearest(a) << 16 | bfloat.nearest(b);
  const auto clipped = [](float x) { return std::isnan(x) ? x : x > 0 ? x : 0.0f; };
  q = bfloat.nearest(clipped(c)) << 16 | bfloat.nearest(clipped(a));
  w[23] = p;
  w[24] = q;
  w[25] = pairs(p, q, [](unsigned s, unsigned t) {
    return bfloat.nearest(std::fma(bfloat_value(s), bfloat_value(t), bfloat_value(s)));
  });
  const auto quarters = [&](const Format& f) {
    return f.nearest(a, true) << 8 | f.nearest(b, true);
  };
  w[26] = quarters(e4m3);
  w[28] = quarters(e5m2);
  const auto opened = [](const Format& f, unsigned code) {
    const unsigned size = code & 0x7f;
    return size > f.largest ? half.nan : half.nearest(f.value(code));
  };
  w[27] = opened(e4m3, w[26] >> 8) << 16 | opened(e4m3, w[26] & 255);
  w[29] = opened(e5m2, w[28] >> 8) << 16 | opened(e5m2, w[28] & 255);
  w[30] = is_nan ? 0x7fffffff : std::isinf(a) ? bits_of(a) : (bits_of(a) + 0x1000) & ~0x1fffu;
  w[31] = is_nan;
}

template <class T>
std::vector<T> column(const std::vector<T>& all, int k, int width) {
  std::vector<T> one;
  for (std::size_t i = k; i < all.size(); i += width) one.push_back(all[i]);
  return one;
}

int main() {
  const int n = 1021;
  check::Random random(947);
  std::vector<float> in(3 * n);
  for (auto& x : in)
    x = static_cast<float>(
        std::ldexp(random.real(-1, 1), static_cast<int>(random.integer(-20, 20))));
  const float corners[] = {0.0f,   -0.0f,  1.0f,     -1.5f,    INFINITY,   -INFINITY,
                           NAN,    1e-40f, 3e38f,    2.5f,     65504.0f,   65520.0f,
                           448.0f, 464.0f, 57344.0f, 0x1p-10f, 0x1.8p-17f, -0.5f};
  for (int i = 0; i < 324; ++i) in[3 * i] = corners[i % 18], in[3 * i + 1] = corners[i / 18];
  for (int i = 400; i < 600; ++i)  // near the small formats' ties
    in[3 * i] = static_cast<float>(random.integer(-4096, 4096)) / 64.0f;
  check::Array<float> source(in), out(floats * n);
  check::Array<double> wide(doubles * n);
  check::Array<unsigned long long> bits(words * n);
  device<<<(n + 126) / 127, 127>>>(source.data(), out.data(), wide.data(), bits.data(), n);
  const auto got = out.get();
  std::vector<float> want(got);  // approximations are compared below
  std::vector<double> want_wide(doubles * n);
  std::vector<unsigned long long> want_bits(words * n, 0xa5a5a5a5a5a5a5a5ull);
  for (int i = 0; i < n; ++i) {
    const float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    host_floats(a, b, c, &want[floats * i]);
    host_doubles(a, b, c, i, &want_wide[doubles * i]);
    host_words(a, b, c, i, &want_bits[words * i]);
  }
  const auto got_wide = wide.get();
  const auto got_bits = bits.get();
  for (int k = 0; k < 21; ++k)
    check::equal("float " + std::to_string(k), column(got, k, floats), column(want, k, floats));
  for (int k = 0; k < doubles; ++k)
    check::equal("double " + std::to_string(k), column(got_wide, k, doubles),
                 column(want_wide, k, doubles));
  for (int k = 0; k < words; ++k)
    check::equal("word " + std::to_string(k), column(got_bits, k, words),
                 column(want_bits, k, words));
  for (int i = 600; i < n; ++i) {  // ordinary numbers
    const double a = in[3 * i], b = in[3 * i + 1], size = std::fabs(a);
    const float* o = &got[floats * i];
    const double exact[] = {a / b,
                            1 / std::sqrt(size),
                            std::exp2(a * static_cast<float>(0.01)),
                            std::log2(size),
                            1 / b,
                            std::tanh(a),
                            std::sqrt(size),
                            std::sin(a)};
    for (int k = 0; k < 7; ++k) {
      if (std::fabs(exact[k]) < 0x1p-126 || std::fabs(exact[k]) > 3e38) continue;
      CHECK(std::fabs(o[21 + k] - exact[k]) <= 1e-5 * std::fabs(exact[k]) + 1e-7);
    }
    if (size < 3) CHECK(std::fabs(o[28] - exact[7]) <= 1e-6);
  }
  return check::finish();
}
