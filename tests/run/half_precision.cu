// 16-bit floating-point numbers: every value, every rounding, against a table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: 16-bit floating point | `cuda_fp16.h`, `cuda_bf16.h`: conversions from and to float, double and integers in all roundings
// FEATURE: 16-bit floating point | arithmetic, fused multiply-add, comparisons, minimum and maximum, saturation, NaN and infinities
// FEATURE: 16-bit floating point | operators, pairs (half2, bfloat162), functions, shuffles, atomic updates, cached loads
#include "half_check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using check::SmallFormat;

template <class T>
__host__ __device__ T of_bits(unsigned short bits) {
  T value;
  memcpy(&value, &bits, 2);
  return value;
}
template <class T>
__host__ __device__ unsigned short bits_of(T value) {
  unsigned short bits;
  memcpy(&bits, &value, 2);
  return bits;
}

/// The functions whose names depend on the format.
template <class T>
struct Named;
#define NAMED(type, word, pair, pairword)                                                 \
  template <>                                                                             \
  struct Named<type> {                                                                    \
    using Pair = pair;                                                                    \
    static __host__ __device__ void narrow(float x, unsigned short* out) {                \
      out[0] = bits_of(__float2##word##_rn(x));                                           \
      out[1] = bits_of(__float2##word##_rz(x));                                           \
      out[2] = bits_of(__float2##word##_rd(x));                                           \
      out[3] = bits_of(__float2##word##_ru(x));                                           \
      out[4] = bits_of(__float2##word(x));                                                \
      out[5] = bits_of(type(x));                                                          \
    }                                                                                     \
    static __host__ __device__ unsigned short narrow(double x) {                          \
      return bits_of(__double2##word(x));                                                 \
    }                                                                                     \
    static __host__ __device__ float widen(type x) { return __##word##2float(x); }        \
    static __host__ __device__ void integers(int i, long long l, unsigned short* out) {   \
      out[0] = bits_of(__int2##word##_rn(i));                                             \
      out[1] = bits_of(__int2##word##_rz(i));                                             \
      out[2] = bits_of(__uint2##word##_ru((unsigned)i));                                  \
      out[3] = bits_of(__ll2##word##_rd(l));                                              \
      out[4] = bits_of(__ull2##word##_rn((unsigned long long)l));                         \
      out[5] = bits_of(__short2##word##_rn((short)i));                                    \
    }                                                                                     \
    static __host__ __device__ void to_integers(type x, long long* out) {                 \
      out[0] = __##word##2int_rn(x);                                                      \
      out[1] = __##word##2int_rz(x);                                                      \
      out[2] = __##word##2int_rd(x);                                                      \
      out[3] = __##word##2int_ru(x);                                                      \
      out[4] = __##word##2uint_rz(x);                                                     \
      out[5] = __##word##2short_rn(x);                                                    \
      out[6] = __##word##2ll_rn(x);                                                       \
    }                                                                                     \
    static __host__ __device__ pair pair_of(float x, float y) {                           \
      return __floats2##pairword##_rn(x, y);                                              \
    }                                                                                     \
    static __host__ __device__ float2 floats(pair p) { return __##pairword##2float2(p); } \
    static __host__ __device__ type low(pair p) { return __low2##word(p); }               \
    static __host__ __device__ type high(pair p) { return __high2##word(p); }             \
  };
NAMED(__half, half, __half2, half2)
NAMED(__nv_bfloat16, bfloat16, __nv_bfloat162, bfloat162)
#undef NAMED

template <class T>
__global__ void widen_all(float* out) {
  const int i = check::global_index();
  if (i < 65536) out[i] = Named<T>::widen(of_bits<T>((unsigned short)i));
}
template <class T>
__global__ void narrow_all(const float* floats, const double* doubles, unsigned short* out, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  Named<T>::narrow(floats[i], out + 7 * i);
  out[7 * i + 6] = Named<T>::narrow(doubles[i]);
}
template <class T>
__global__ void integers(const int* ints, const long long* longs, unsigned short* out, int n) {
  const int i = check::global_index();
  if (i < n) Named<T>::integers(ints[i], longs[i], out + 6 * i);
}
template <class T>
__global__ void to_integers(long long* out) {
  const int i = check::global_index();
  if (i < 65536) Named<T>::to_integers(of_bits<T>((unsigned short)i), out + 7 * i);
}
template <class T>
void test_conversions(const char* what, const SmallFormat& format, check::Random& random) {
  check::Array<float> wide(65536);
  widen_all<T><<<256, 256>>>(wide.data());
  std::vector<float> want(65536);
  for (int i = 0; i < 65536; ++i) want[i] = float(format.value((unsigned short)i));
  check::equal(std::string(what) + " to float", wide.get(), want);

  // Every number, what lies beside and between them, and anything.
  std::vector<double> exact;
  for (int i = 0; i < 65536; i += 1 + i % 3) {
    const double a = format.value((unsigned short)i), b = format.value((unsigned short)(i ^ 1));
    if (std::isnan(a) || std::isinf(a) || std::isinf(b) || std::isnan(b)) continue;
    const double middle = (a + b) / 2;
    for (double x : {a, middle, middle * (1 + 1e-14), middle * (1 - 1e-14), middle * (1 + 1e-7)})
      exact.push_back(x);
  }
  for (double x : random.reals<double>(20000, -1, 1))
    exact.push_back(x * std::ldexp(1.0, int(exact.size() % 300) - 150));
  for (double x : {0.0, -0.0, 65504.0, 65519.99, 65520.0, 65536.0, 1e30, 3.4e38, 3.39e38, 1e300,
                   -1e300, 1e-300})
    exact.push_back(x);
  exact.push_back(std::numeric_limits<double>::infinity());
  exact.push_back(-std::numeric_limits<double>::infinity());
  exact.push_back(std::numeric_limits<double>::quiet_NaN());
  const int n = int(exact.size());
  std::vector<float> floats(exact.begin(), exact.end());
  check::Array<float> float_source(floats);
  check::Array<double> source(exact);
  check::Array<unsigned short> out(7 * n);
  narrow_all<T><<<(n + 127) / 128, 128>>>(float_source.data(), source.data(), out.data(), n);
  std::vector<unsigned short> narrow(7 * n), on_host(7 * n);
  for (int i = 0; i < n; ++i) {
    const char how[6] = {'n', 'z', 'd', 'u', 'n', 'n'};
    for (int k = 0; k < 6; ++k) narrow[7 * i + k] = format.round(double(floats[i]), how[k]);
    narrow[7 * i + 6] = format.round(exact[i]);
    Named<T>::narrow(floats[i], on_host.data() + 7 * i);
    on_host[7 * i + 6] = Named<T>::narrow(exact[i]);
  }
  std::vector<unsigned short> found = out.get();
  // A GPU keeps bits of a double that is no number.
  for (int i = 0; i < n; ++i)
    if (std::isnan(exact[i]) && std::isnan(format.value(found[7 * i + 6])))
      found[7 * i + 6] = narrow[7 * i + 6];
  check::equal(std::string(what) + " from float and double", found, narrow);
  check::equal(std::string(what) + " on the host", on_host, narrow);

  std::vector<int> ints = random.integers<int>(3000, -70000, 70000);
  std::vector<long long> longs = random.integers<long long>(3000, -(1ll << 60), 1ll << 60);
  for (int i = 0; i < 3000; ++i) {
    if (i % 3 == 0) ints[i] *= 30000;
    if (i % 2 == 0) longs[i] >>= i % 61;
    if (i % 7 == 0) longs[i] = (longs[i] >> 62 << 62) + (0x101ll << (i % 50)) + i % 3 - 1;
  }
  check::Array<int> int_source(ints);
  check::Array<long long> long_source(longs);
  check::Array<unsigned short> numbers(6 * 3000);
  integers<T><<<24, 128>>>(int_source.data(), long_source.data(), numbers.data(), 3000);
  std::vector<unsigned short> rounded(6 * 3000);
  const auto of_long = [&](auto value, char how) {
    const double near = double(value);  // at most one rounding error off, which matters in ties
    const auto lost = (long double)value - (long double)near;
    if (lost == 0) return format.round(near, how);
    const unsigned short low = format.round(std::nextafter(near, -INFINITY), how);
    const unsigned short high = format.round(std::nextafter(near, INFINITY), how);
    return lost < 0 ? low : high;
  };
  for (int i = 0; i < 3000; ++i) {
    rounded[6 * i] = format.round(ints[i]);
    rounded[6 * i + 1] = format.round(ints[i], 'z');
    rounded[6 * i + 2] = format.round(unsigned(ints[i]), 'u');
    rounded[6 * i + 3] = of_long(longs[i], 'd');
    rounded[6 * i + 4] = of_long((unsigned long long)longs[i], 'n');
    rounded[6 * i + 5] = format.round(short(ints[i]));
  }
  check::equal(std::string(what) + " from integers", numbers.get(), rounded);

  check::Array<long long> whole(7 * 65536);
  to_integers<T><<<256, 256>>>(whole.data());
  std::vector<long long> wholes(7 * 65536);
  for (int i = 0; i < 65536; ++i) {
    const double x = format.value((unsigned short)i);
    const auto clamp = [](double v, double low, double high) {
      return std::isnan(v) ? 0
             : v <= low    ? (long long)low
             : v >= high   ? (long long)high
                           : (long long)v;
    };
    long long* w = wholes.data() + 7 * i;
    w[0] = clamp(std::nearbyint(x), -2147483648.0, 2147483647.0);
    w[1] = clamp(std::trunc(x), -2147483648.0, 2147483647.0);
    w[2] = clamp(std::floor(x), -2147483648.0, 2147483647.0);
    w[3] = clamp(std::ceil(x), -2147483648.0, 2147483647.0);
    w[4] = clamp(std::trunc(x), 0, 4294967295.0);
    w[5] = clamp(std::nearbyint(x), -32768, 32767);
    w[6] = std::isnan(x)                 ? 0
           : x >= 9223372036854775808.0  ? std::numeric_limits<long long>::max()
           : x <= -9223372036854775808.0 ? std::numeric_limits<long long>::min()
                                         : (long long)std::nearbyint(x);
  }
  check::equal(std::string(what) + " to integers", whole.get(), wholes);
}

constexpr int results = 24;
template <class T>
__host__ __device__ void operate(T a, T b, T c, unsigned short* out) {
  out[0] = bits_of(__hadd(a, b));
  out[1] = bits_of(a - b);
  out[2] = bits_of(a * b);
  out[3] = bits_of(a / b);
  out[4] = bits_of(__hfma(a, b, c));
  out[5] = bits_of(-a);
  out[6] = bits_of(__habs(a));
  out[7] = bits_of(__hmin(a, b));
  out[8] = bits_of(__hmax(a, b));
  out[9] = bits_of(__hmax_nan(a, b));
  out[10] = bits_of(__hadd_sat(a, b));
  out[11] = (unsigned short)((a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 |
                             (a > b) << 4 | (a >= b) << 5 | __hequ(a, b) << 6 | __hltu(a, b) << 7 |
                             __hne(a, b) << 8 | __hisnan(a) << 9 | (__hisinf(a) != 0) << 10);
  out[12] = bits_of(hsqrt(a));
  out[13] = bits_of(hfloor(a));
  out[14] = bits_of(hrint(a));
  T sum = a;
  sum += b;
  ++sum;
  out[15] = bits_of(sum);
  using Pair = typename Named<T>::Pair;
  const Pair p(a, b), q(c, a);
  const Pair added = __hadd2(p, q), fused = __hfma2(p, q, p);
  out[16] = bits_of(Named<T>::low(added));
  out[17] = bits_of(Named<T>::high(p * q));
  out[18] = bits_of(fused.x);
  out[19] = bits_of(fused.y);
  out[20] = (unsigned short)(__hbgt2(p, q) | __hgt2_mask(p, q) << 1);
  out[21] = bits_of(Named<T>::low(__hlt2(p, q)));
  out[22] = bits_of(Named<T>::pair_of(Named<T>::floats(q).y, 1.0f).x);
  out[23] = bits_of(__hfma_relu(a, b, c));
}
template <class T>
__global__ void operations(const unsigned short* in, unsigned short* out, int n) {
  const int i = check::global_index();
  if (i < n)
    operate(of_bits<T>(in[3 * i]), of_bits<T>(in[3 * i + 1]), of_bits<T>(in[3 * i + 2]),
            out + results * i);
}
std::vector<unsigned short> expected_operations(const SmallFormat& f,
                                                const std::vector<unsigned short>& in) {
  std::vector<unsigned short> want(in.size() / 3 * results);
  for (std::size_t i = 0; i < in.size() / 3; ++i) {
    const unsigned short ab = in[3 * i], bb = in[3 * i + 1], cb = in[3 * i + 2];
    const double a = f.value(ab), b = f.value(bb), c = f.value(cb);
    const bool nan = std::isnan(a) || std::isnan(b);
    // Where one of both is so small that a double may not hold the sum, only its sign matters.
    const auto fused = [&](double x, double y, double z) {
      const double product = x * y;
      const double large = std::fabs(product) > std::fabs(z) ? product : z;
      const double small = std::fabs(product) > std::fabs(z) ? z : product;
      if (small == 0 || !(std::fabs(small) < std::fabs(large) * 0x1p-36))
        return f.round(product + z);
      return f.round(std::isinf(large) ? large : std::nextafter(large, small > 0 ? 1e308 : -1e308));
    };
    const auto pick = [&](bool smaller) -> unsigned short {
      if (nan) return std::isnan(a) && std::isnan(b) ? 0x7fff : std::isnan(a) ? bb : ab;
      if (a == b) return (std::signbit(a) != 0) == smaller ? ab : bb;
      return (a < b) == smaller ? ab : bb;
    };
    const auto relu = [&](unsigned short bits) -> unsigned short {
      return f.is_nan(bits) ? 0x7fff : f.value(bits) > 0 ? bits : 0;
    };
    unsigned short* w = want.data() + results * i;
    const unsigned short sum = f.round(a + b);
    w[0] = sum;
    w[1] = f.round(a - b);
    w[2] = f.round(a * b);
    w[3] = f.round(a / b);  // a double quotient has more than twice the digits
    w[4] = fused(a, b, c);
    w[5] = ab ^ 0x8000;
    w[6] = ab & 0x7fff;
    w[7] = pick(true);
    w[8] = pick(false);
    w[9] = nan ? 0x7fff : pick(false);
    const double summed = f.value(sum);
    w[10] = summed > 0 ? f.round(std::fmin(summed, 1)) : 0;
    w[11] =
        (unsigned short)((a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 |
                         (a >= b) << 5 | (nan || a == b) << 6 | (nan || a < b) << 7 |
                         (!nan && a != b) << 8 | std::isnan(a) << 9 | std::isinf(a) << 10);
    w[12] = f.round(std::sqrt(a));
    w[13] = f.round(std::floor(a));
    w[14] = f.round(std::nearbyint(a));
    w[15] = f.round(f.value(sum) + 1);
    w[16] = f.round(a + c);
    w[17] = f.round(b * a);
    w[18] = fused(a, c, a);
    w[19] = fused(b, a, b);
    w[20] = (unsigned short)((a > c && b > a) | ((a > c ? 0xffff : 0) << 1));
    w[21] = f.round(a < c ? 1 : 0);
    w[22] = f.is_nan(ab) ? 0x7fff : ab;
    w[23] = relu(fused(a, b, c));
  }
  return want;
}
/// The sign and the payload of a computed NaN mean nothing.
std::vector<unsigned short> plain(const SmallFormat& f, std::vector<unsigned short> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i % results != 11 && i % results != 20 && f.is_nan(values[i])) values[i] = 0x7fff;
  return values;
}
template <class T>
void test_operations(const char* what, const SmallFormat& format, check::Random& random) {
  std::vector<unsigned short> in = random.integers<unsigned short>(3 * 20000, 0, 65535);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i % 5 == 0) in[i] = (unsigned short)(in[i] % 0x400 + 0x3c00);
    if (i % 97 == 0) in[i] = (unsigned short)(in[i] & 0x8000);
    if (i % 89 == 0) in[i] = in[i / 2];
    if (i % 31 == 1) in[i] = in[i - 1];
  }
  const int n = int(in.size() / 3);
  check::Array<unsigned short> source(in), out(results * n);
  operations<T><<<(n + 99) / 100, 100>>>(source.data(), out.data(), n);
  const auto want = plain(format, expected_operations(format, in));
  check::equal(std::string(what) + " operations", plain(format, out.get()), want);
  std::vector<unsigned short> on_host(results * n);
  for (int i = 0; i < n; ++i)
    operate(of_bits<T>(in[3 * i]), of_bits<T>(in[3 * i + 1]), of_bits<T>(in[3 * i + 2]),
            on_host.data() + results * i);
  check::equal(std::string(what) + " operations on the host", plain(format, on_host), want);
}

// Sums over a warp, sums by atomic updates of single numbers and pairs; small whole numbers.
template <class T>
__global__ void exchange(const T* in, T* sums, T* total, typename Named<T>::Pair* pairs) {
  const int i = check::global_index();
  T value = __ldg(in + i);
  for (int d = 1; d < 32; d *= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  sums[i] = value;
  atomicAdd(total + i % 3, in[i]);
  atomicAdd(pairs, typename Named<T>::Pair(in[i], T(-1.0f)));
  const auto swapped = __shfl_down_sync(0xffffffffu, __lowhigh2highlow(pairs[1]), 1);
  if (i == 0) pairs[2] = swapped;
}
template <class T>
void test_exchange(const char* what, check::Random& random) {
  const auto whole = random.integers<int>(64, 0, 1);
  std::vector<T> in(64), want(64), totals(3, T(0.0f));
  using Pair = typename Named<T>::Pair;
  std::vector<Pair> pairs = {Pair(T(2.0f), T(3.0f)), Pair(T(5.0f), T(7.0f)),
                             Pair(T(0.0f), T(0.0f))};
  float all = 2;
  for (int i = 0; i < 64; ++i) in[i] = T(float(whole[i]));
  check::Array<T> source(in), sums(64), total(totals);
  check::Array<Pair> pair_array(pairs);
  exchange<T><<<1, 64>>>(source.data(), sums.data(), total.data(), pair_array.data());
  for (int i = 0; i < 64; ++i) {
    float sum = 0;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) sum += whole[k];
    want[i] = T(sum);
    totals[i % 3] = T(float(totals[i % 3]) + whole[i]);
    all += whole[i];
  }
  const auto same = [&](const char* name, const auto& got, const auto& expected) {
    CHECK(std::memcmp(got.data(), expected.data(), got.size() * sizeof(got[0])) == 0);
    if (std::memcmp(got.data(), expected.data(), got.size() * sizeof(got[0])) != 0)
      std::fprintf(stderr, "%s: %s\n", what, name);
  };
  pairs[0] = Pair(T(all), T(3.0f - 64));
  pairs[2] = Pair(T(7.0f), T(5.0f));
  same("warp sums", sums.get(), want);
  same("atomic sums", total.get(), totals);
  same("pairs", pair_array.get(), pairs);
}

__global__ void functions(const __half* in, float* out) {
  const int i = threadIdx.x;
  out[6 * i] = float(hexp(in[i]));
  out[6 * i + 1] = float(hlog2(in[i]));
  out[6 * i + 2] = float(hsin(in[i]));
  out[6 * i + 3] = float(hrsqrt(in[i]));
  out[6 * i + 4] = float(h2tanh(__half2half2(in[i])).y);
  out[6 * i + 5] = float(hcos(__nv_bfloat16(float(in[i]))));
}

int main() {
  check::Random random(2024);
  const SmallFormat half(5, 10), bfloat(8, 7);
  test_conversions<__half>("half", half, random);
  test_conversions<__nv_bfloat16>("bfloat16", bfloat, random);
  test_operations<__half>("half", half, random);
  test_operations<__nv_bfloat16>("bfloat16", bfloat, random);
  test_exchange<__half>("half", random);
  test_exchange<__nv_bfloat16>("bfloat16", random);

  const auto reals = random.reals<float>(128, 0.01, 5);
  std::vector<__half> in(reals.begin(), reals.end());
  check::Array<__half> source(in);
  check::Array<float> out(6 * 128);
  functions<<<1, 128>>>(source.data(), out.data());
  std::vector<float> want(6 * 128);
  for (int i = 0; i < 128; ++i) {
    const double x = half.value(bits_of(in[i])), y = bfloat.value(bfloat.round(x));
    want[6 * i] = float(half.value(half.round(std::exp(x))));
    want[6 * i + 1] = float(half.value(half.round(std::log2(x))));
    want[6 * i + 2] = float(half.value(half.round(std::sin(x))));
    want[6 * i + 3] = float(half.value(half.round(1 / std::sqrt(x))));
    want[6 * i + 4] = float(half.value(half.round(std::tanh(x))));
    want[6 * i + 5] = float(bfloat.value(bfloat.round(std::cos(y))));
  }
  check::near("functions", out.get(), want, 0x1p-7, 0x1p-10);
  return check::finish();
}
