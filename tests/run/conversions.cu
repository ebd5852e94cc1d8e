// Conversions between numbers, the way the hardware makes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Arithmetic | float to integer conversion truncates, saturates, and makes NaN zero
// FEATURE: Arithmetic | conversion intrinsics with rounding modes (__float2int_rn, __double2uint_rz, __int2float_rd, ...)
// FEATURE: Arithmetic | denormals, infinities, signed zero, NaN comparisons; no excess precision
#include "check.h"

#include <limits>

__global__ void to_integer(const double* in, long long* out) {
  const int i = check::global_index();
  const double d = in[i];
  const float f = static_cast<float>(d);
  long long* o = out + i * 8;
  o[0] = static_cast<int>(f);
  o[1] = static_cast<unsigned>(f);
  o[2] = static_cast<long long>(f);
  o[3] = static_cast<long long>(static_cast<unsigned long long>(f));
  o[4] = static_cast<int>(d);
  o[5] = static_cast<unsigned>(d);
  o[6] = static_cast<long long>(d);
  o[7] = static_cast<long long>(static_cast<unsigned long long>(d));
}

template <class T, class F>
T saturate(F x) {
  // PTX: NaN gives zero, or 1 << (width - 1) where a 64-bit type takes part.
  if (std::isnan(x))
    return sizeof(T) == 4 && sizeof(F) == 4 ? T(0) : static_cast<T>(1ull << (sizeof(T) * 8 - 1));
  x = std::trunc(x);
  if (x < static_cast<F>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (x >= std::ldexp(F(1), std::numeric_limits<T>::digits)) return std::numeric_limits<T>::max();
  return static_cast<T>(x);
}

__global__ void rounding(const float* in, int* out) {
  const int i = check::global_index();
  int* o = out + i * 8;
  const float f = in[i];
  o[0] = __float2int_rn(f);
  o[1] = __float2int_rz(f);
  o[2] = __float2int_ru(f);
  o[3] = __float2int_rd(f);
  o[4] = __double2int_rn(f * 1.0);
  o[5] = static_cast<int>(rintf(f));
  o[6] = static_cast<int>(__double2uint_rz(fabs(f * 1.0)));
  o[7] = static_cast<int>(__float2ll_rd(f));
}

__global__ void from_integer(const int* in, float* out) {
  const int i = check::global_index();
  float* o = out + i * 5;
  o[0] = static_cast<float>(in[i]);
  o[1] = __int2float_rd(in[i]);
  o[2] = __int2float_ru(in[i]);
  o[3] = __uint2float_rn(static_cast<unsigned>(in[i]));
  o[4] = static_cast<float>(static_cast<double>(in[i]) * 4294967296.0);
}

__global__ void special(const float* in, unsigned* out) {
  const int i = check::global_index();
  const float a = in[i], b = in[(i + 1) % (gridDim.x * blockDim.x)];
  unsigned flags = 0;
  flags |= (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5;
  flags |= (isnan(a) ? 1u : 0) << 6 | (isinf(a) ? 1u : 0) << 7 | (signbit(a) ? 1u : 0) << 8;
  flags |= (isfinite(a) ? 1u : 0) << 9 | (a != a ? 1u : 0) << 10 | (!(a > b) ? 1u : 0) << 11;
  const float half = a * 0.5f;  // stays a denormal where it is one
  out[i * 2] = flags;
  out[i * 2 + 1] = isnan(half) ? 0x7fffffffu : __float_as_uint(half);
}

int main() {
  const double values[] = {0,
                           -0.0,
                           0.5,
                           -0.5,
                           0.999,
                           1.5,
                           -1.5,
                           2147483647.0,
                           2147483648.0,
                           3e9,
                           -2147483648.0,
                           -2147483649.0,
                           -3e9,
                           4294967295.0,
                           4294967296.0,
                           1e15,
                           -1e15,
                           9.3e18,
                           -9.3e18,
                           1.9e19,
                           1e30,
                           -1e30,
                           123456.789,
                           -98765.4321,
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()};
  {
    const int n = 27;
    std::vector<double> in(values, values + n);
    check::Array<double> source(in);
    check::Array<long long> out(n * 8);
    to_integer<<<3, 9>>>(source.data(), out.data());
    std::vector<long long> want(n * 8);
    for (int i = 0; i < n; ++i) {
      const double d = in[i];
      const float f = static_cast<float>(d);
      long long* o = &want[i * 8];
      o[0] = saturate<int>(f);
      o[1] = saturate<unsigned>(f);
      o[2] = saturate<long long>(f);
      o[3] = static_cast<long long>(saturate<unsigned long long>(f));
      o[4] = saturate<int>(d);
      o[5] = saturate<unsigned>(d);
      o[6] = saturate<long long>(d);
      o[7] = static_cast<long long>(saturate<unsigned long long>(d));
    }
    check::equal("to_integer", out.get(), want);
  }
  check::Random random(83);
  {
    auto in = random.reals<float>(33 * 3, -1000, 1000);
    for (int i = 0; i < 20; ++i) in[i] = (i - 10) * 0.5f;
    check::Array<float> source(in);
    check::Array<int> out(33 * 3 * 8);
    rounding<<<3, 33>>>(source.data(), out.data());
    std::vector<int> want(33 * 3 * 8);
    for (int i = 0; i < 33 * 3; ++i) {
      int* o = &want[i * 8];
      const float f = in[i];
      o[0] = o[4] = o[5] = static_cast<int>(std::nearbyint(f));
      o[1] = static_cast<int>(f);
      o[2] = static_cast<int>(std::ceil(f));
      o[3] = o[7] = static_cast<int>(std::floor(f));
      o[6] = static_cast<int>(std::fabs(f));
    }
    check::equal("rounding", out.get(), want);
  }
  {
    auto in = random.integers<int>(33 * 3, -2147483648ll, 2147483647);
    in[0] = 16777217;
    in[1] = -16777217;
    in[2] = 0;
    check::Array<int> source(in);
    check::Array<float> out(33 * 3 * 5);
    from_integer<<<3, 33>>>(source.data(), out.data());
    std::vector<float> want(33 * 3 * 5);
    for (int i = 0; i < 33 * 3; ++i) {
      float* o = &want[i * 5];
      o[0] = static_cast<float>(in[i]);
      const auto up = [](float f) { return std::nextafter(f, HUGE_VALF); };
      const auto down = [](float f) { return std::nextafter(f, -HUGE_VALF); };
      o[1] = double(o[0]) > in[i] ? down(o[0]) : o[0];
      o[2] = double(o[0]) < in[i] ? up(o[0]) : o[0];
      o[3] = static_cast<float>(static_cast<unsigned>(in[i]));
      o[4] = o[0] * 4294967296.0f;
    }
    check::equal("from_integer", out.get(), want);
  }
  {
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> in = {0.0f,   -0.0f,   1.0f,   1.0f, inf, -inf,  NAN,  3.0f,
                                   1e-40f, -1e-45f, 2e-38f, NAN,  NAN, -2.0f, 1e38f};
    const int n = static_cast<int>(in.size());
    check::Array<float> source(in);
    check::Array<unsigned> out(n * 2);
    special<<<n / 5, 5>>>(source.data(), out.data());
    std::vector<unsigned> want(n * 2);
    for (int i = 0; i < n; ++i) {
      const float a = in[i], b = in[(i + 1) % n], half = a * 0.5f;
      want[i * 2] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 |
                    (a >= b) << 5 | std::isnan(a) << 6 | std::isinf(a) << 7 | std::signbit(a) << 8 |
                    std::isfinite(a) << 9 | (a != a) << 10 | !(a > b) << 11;
      std::memcpy(&want[i * 2 + 1], &half, 4);
      if (std::isnan(half)) want[i * 2 + 1] = 0x7fffffffu;
    }
    check::equal("special", out.get(), want);
  }
  return check::finish();
}
