// Arithmetic with an explicit rounding against the host processor's rounding modes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | arithmetic with explicit rounding (__fadd_ru, __dmul_rz, __fmaf_rd, __fsqrt_rn, __frcp_ru, ...)
#include "math_check.h"

#include <cfenv>

using namespace math_check;

constexpr int operations = 7;  // add, sub, mul, div, reciprocal, root, fma
constexpr int results = 4 * operations;

#define FLOAT_ROUNDED(suffix, k)       \
  out[0 + k] = __fadd_##suffix(a, b);  \
  out[4 + k] = __fsub_##suffix(a, b);  \
  out[8 + k] = __fmul_##suffix(a, b);  \
  out[12 + k] = __fdiv_##suffix(a, b); \
  out[16 + k] = __frcp_##suffix(a);    \
  out[20 + k] = __fsqrt_##suffix(a);   \
  out[24 + k] = __fmaf_##suffix(a, b, c);
#define DOUBLE_ROUNDED(suffix, k)      \
  out[0 + k] = __dadd_##suffix(a, b);  \
  out[4 + k] = __dsub_##suffix(a, b);  \
  out[8 + k] = __dmul_##suffix(a, b);  \
  out[12 + k] = __ddiv_##suffix(a, b); \
  out[16 + k] = __drcp_##suffix(a);    \
  out[20 + k] = __dsqrt_##suffix(a);   \
  out[24 + k] = __fma_##suffix(a, b, c);

__device__ void compute(float a, float b, float c, float* out){
    FLOAT_ROUNDED(rn, 0) FLOAT_ROUNDED(rz, 1) FLOAT_ROUNDED(ru, 2) FLOAT_ROUNDED(rd, 3)} __device__
    void compute(double a, double b, double c, double* out) {
  DOUBLE_ROUNDED(rn, 0) DOUBLE_ROUNDED(rz, 1) DOUBLE_ROUNDED(ru, 2) DOUBLE_ROUNDED(rd, 3)
}
template <class Real>
__global__ void rounded(const Real* in, Real* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) compute(in[3 * i], in[3 * i + 1], in[3 * i + 2], out + results * i);
}

// Volatile: the operation stays between the two changes of the rounding mode.
template <class Real>
void reference(const Real* in, Real* out) {
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  volatile Real a = in[0], b = in[1], c = in[2], one = 1, result[operations];
  for (int mode = 0; mode < 4; ++mode) {
    std::fesetround(modes[mode]);
    result[0] = a + b;
    result[1] = a - b;
    result[2] = a * b;
    result[3] = a / b;
    result[4] = one / a;
    result[5] = std::sqrt(a);
    result[6] = std::fma(a, b, c);
    std::fesetround(FE_TONEAREST);
    for (int k = 0; k < operations; ++k) out[4 * k + mode] = result[k];
  }
}

template <class Real>
bool identical(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class Real>
void test(const char* type) {
  const auto special = special_values<Real>();
  const auto numbers = arguments<Real>(3000, -1000, 1000, 31);
  check::Random random(32);
  auto pick = [&](Real near_to) {
    switch (random.integer(0, 5)) {
      case 0:
        return special[random.integer(0, special.size() - 1)];
      case 1:
        return std::nextafter(-near_to, Real(random.integer(-1, 1)));
      case 2:
        return std::ldexp(near_to, static_cast<int>(random.integer(-60, 60)));
      case 3:
        return Real(random.integer(-9, 9)) * std::numeric_limits<Real>::denorm_min();
      default:
        return numbers[random.integer(0, numbers.size() - 1)];
    }
  };
  const int count = 20011;
  std::vector<Real> in;
  for (int i = 0; i < count; ++i) {
    in.push_back(pick(Real{1}));
    in.push_back(pick(in.back()));
    in.push_back(pick(in[in.size() - 2] * in.back()));
  }
  check::Array<Real> source(in), result(static_cast<std::size_t>(count) * results);
  rounded<<<(count + 92) / 93, 93>>>(source.data(), result.data(), count);
  const auto out = result.get();
  const char* names[operations] = {"add", "sub", "mul", "div", "rcp", "sqrt", "fma"};
  for (int i = 0; i < count; ++i) {
    Real want[results];
    reference(&in[3 * i], want);
    for (int k = 0; k < results; ++k) {
      ++check::comparisons;
      if (identical(out[results * i + k], want[k])) continue;
      if (++check::failures <= 20) {
        std::fprintf(stderr, "%s %s, mode %d, of %a %a %a: %a, expected %a\n", type, names[k / 4],
                     k % 4, static_cast<double>(in[3 * i]), static_cast<double>(in[3 * i + 1]),
                     static_cast<double>(in[3 * i + 2]), static_cast<double>(out[results * i + k]),
                     static_cast<double>(want[k]));
      }
    }
  }
}

// A product and a sum that are written as __fmul_rn and __fadd_rn are never fused.
__global__ void not_fused(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = __fadd_rn(__fmul_rn(in[i], in[i]), -1.0f);
}
void test_not_fused() {
  check::Random random(5);
  const auto in = random.reals<float>(1001, 0.5, 2);
  check::Array<float> source(in), result(in.size());
  not_fused<<<8, 128>>>(source.data(), result.data(), 1001);
  std::vector<float> want;
  for (float x : in) {
    volatile float square = x * x;
    want.push_back(square - 1.0f);
  }
  check::equal("product and sum", result.get(), want);
}

int main() {
  test<float>("float");
  test<double>("double");
  test_not_fused();
  return check::finish();
}
