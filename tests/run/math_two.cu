// Functions of two and more numbers: pow, atan2, hypot, fmod, norms, remquo, frexp, …
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | pow, atan2, hypot, rhypot, fmod, remainder, fmin, fmax, fdim, copysign, nextafter, ldexp
// FEATURE: Math functions | norm3d, norm4d, rnorm3d, rnorm4d, norm, rnorm; remquo, frexp, modf, sincos, sincospi, fma
#include "math_check.h"

using namespace math_check;

template <class Function, class Real, class Reference>
void test_pairs(const char* name, Reference reference, double low, double high, double bound) {
  auto a = arguments<Real>(20011, low, high, 3), b = arguments<Real>(20011, low, high, 4);
  // Every pair of special values, then pairs of random numbers.
  const std::size_t special = special_values<Real>().size();
  for (std::size_t i = 0; i < special * special; ++i) {
    a.push_back(a[i / special]);
    b.push_back(a[i % special]);
  }
  check::Array<Real> first(a), second(b), result(a.size());
  const int count = static_cast<int>(a.size());
  apply<Function, Real>
      <<<(count + 32) / 33, 33>>>(first.data(), second.data(), result.data(), count);
  const auto out = result.get();
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    ++check::comparisons;
    const Real want =
        static_cast<Real>(reference(static_cast<Long>(a[i]), static_cast<Long>(b[i])));
    const double distance = !std::isfinite(want) && out[i] == want ? 0 : ulps(out[i], want);
    if (distance > bound && ++check::failures <= 20) {
      std::fprintf(stderr, "%s(%.17g, %.17g) is %.17g, expected %.17g\n", name,
                   static_cast<double>(a[i]), static_cast<double>(b[i]),
                   static_cast<double>(out[i]), static_cast<double>(want));
    }
    worst = std::fmax(worst, distance);
  }
  std::printf("%-10s %g ulp, allowed %g\n", name, worst, bound);
}
#define TEST_PAIRS(Real, function, reference, low, high, bound)                       \
  do {                                                                                \
    struct Call {                                                                     \
      __device__ Real operator()(Real x, Real y) const { return function(x, y); }     \
    };                                                                                \
    test_pairs<Call, Real>(                                                           \
        #function, [](Long x, Long y) { return reference(x, y); }, low, high, bound); \
  } while (0)

Long rhypot_of(Long a, Long b) { return 1 / hypotl(a, b); }

void test_pairs_of_numbers() {
  TEST_PAIRS(float, powf, powl, 0.01, 20, 4);
  TEST_PAIRS(double, pow, powl, 0.01, 150, 2);
  TEST_PAIRS(float, atan2f, atan2l, -1e10, 1e10, 3);
  TEST_PAIRS(double, atan2, atan2l, -1e10, 1e10, 2);
  TEST_PAIRS(float, hypotf, hypotl, -1e18, 1e18, 3);
  TEST_PAIRS(double, hypot, hypotl, -1e300, 1e300, 2);
  TEST_PAIRS(float, rhypotf, rhypot_of, -1e18, 1e18, 2);
  TEST_PAIRS(double, rhypot, rhypot_of, -1e300, 1e300, 1);
  TEST_PAIRS(float, fmodf, fmodl, -1e10, 1e10, 0);
  TEST_PAIRS(double, fmod, fmodl, -1e10, 1e10, 0);
  TEST_PAIRS(float, remainderf, remainderl, -1e10, 1e10, 0);
  TEST_PAIRS(double, remainder, remainderl, -1e10, 1e10, 0);
  TEST_PAIRS(float, copysignf, copysignl, -10, 10, 0);
  TEST_PAIRS(double, copysign, copysignl, -10, 10, 0);
}

// Exact on the host, too.
struct Exact {
  __host__ __device__ static void compute(double a, double b, double* out) {
    out[0] = fmin(a, b);
    out[1] = fmax(a, b);
    out[2] = fdim(a, b);
    out[3] = nextafter(a, b);
    out[4] = fminf((float)a, (float)b);
    out[5] = fmaxf((float)a, (float)b);
    out[6] = fdimf((float)a, (float)b);
    out[7] = nextafterf((float)a, (float)b);
    out[8] = fma(a, b, 1.5);
    out[9] = fmaf((float)a, (float)b, 1.5f);
    int exponent = 0;
    out[10] = frexp(a, &exponent);
    out[11] = isfinite(a) ? exponent : 0;
    double whole = 0;
    out[12] = modf(a, &whole);
    out[13] = whole;
    out[14] = ldexp(a, 3);
    out[15] = scalbn(a, -7);
    int quotient = 0;
    out[16] = remquo(a, b, &quotient);
    // Three bits and a sign are what C and CUDA promise.
    out[17] =
        isfinite(a) && isfinite(b) && b != 0 ? (quotient < 0 ? -(-quotient & 7) : quotient & 7) : 0;
    float part = 0;
    out[18] = modff((float)a, &part);
    out[19] = part;
    out[20] = frexpf((float)a, &exponent);
    out[21] = ldexpf((float)a, -3);
    out[22] = remquof((float)a, (float)b, &quotient);
    out[23] = a == 0 || !isfinite(a) ? 0 : ilogb(a);
  }
  static constexpr int results = 24;
};
__global__ void exact(const double* a, const double* b, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) Exact::compute(a[i], b[i], out + i * Exact::results);
}
void test_exact() {
  const auto a = arguments<double>(5003, -1000, 1000, 5), b = arguments<double>(5003, -50, 50, 6);
  check::Array<double> first(a), second(b), result(a.size() * Exact::results);
  exact<<<79, 64>>>(first.data(), second.data(), result.data(), static_cast<int>(a.size()));
  std::vector<double> want(a.size() * Exact::results);
  for (std::size_t i = 0; i < a.size(); ++i) {
    Exact::compute(a[i], b[i], want.data() + i * Exact::results);
  }
  check::equal("exact functions", result.get(), want);
}

__global__ void norms(const double* v, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double* p = v + 5 * i;
  out[6 * i] = norm3d(p[0], p[1], p[2]);
  out[6 * i + 1] = rnorm3d(p[0], p[1], p[2]);
  out[6 * i + 2] = norm4d(p[0], p[1], p[2], p[3]);
  out[6 * i + 3] = rnorm4d(p[0], p[1], p[2], p[3]);
  out[6 * i + 4] = norm(5, p);
  out[6 * i + 5] = rnorm(5, p);
}
__global__ void float_norms(const float* v, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float* p = v + 5 * i;
  out[6 * i] = norm3df(p[0], p[1], p[2]);
  out[6 * i + 1] = rnorm3df(p[0], p[1], p[2]);
  out[6 * i + 2] = norm4df(p[0], p[1], p[2], p[3]);
  out[6 * i + 3] = rnorm4df(p[0], p[1], p[2], p[3]);
  out[6 * i + 4] = normf(5, p);
  out[6 * i + 5] = rnormf(5, p);
}
template <class Real, class Kernel>
void test_norms(Kernel kernel, double range, double bound) {
  const int count = 1009;
  check::Random random(11);
  const auto v = random.reals<Real>(5 * count, -range, range);
  check::Array<Real> values(v), result(6 * count);
  kernel<<<(count + 30) / 31, 31>>>(values.data(), result.data(), count);
  const auto out = result.get();
  for (int i = 0; i < count; ++i) {
    Long sum = 0;
    for (int k = 0; k < 5; ++k) {
      sum += static_cast<Long>(v[5 * i + k]) * v[5 * i + k];
      if (k < 2) continue;
      CHECK(ulps(out[6 * i + 2 * (k - 2)], static_cast<Real>(sqrtl(sum))) <= bound);
      CHECK(ulps(out[6 * i + 2 * (k - 2) + 1], static_cast<Real>(1 / sqrtl(sum))) <= bound);
    }
  }
}

__global__ void pairs_of_results(const double* in, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float s, c;
  sincos(in[i], &out[8 * i], &out[8 * i + 1]);
  sincospi(in[i], &out[8 * i + 2], &out[8 * i + 3]);
  sincosf((float)in[i], &s, &c);
  out[8 * i + 4] = s;
  out[8 * i + 5] = c;
  sincospif((float)in[i], &s, &c);
  out[8 * i + 6] = s;
  out[8 * i + 7] = c;
}
void test_sincos() {
  check::Random random(12);
  const auto in = random.reals<double>(997, -50, 50);
  check::Array<double> source(in), result(8 * in.size());
  pairs_of_results<<<32, 32>>>(source.data(), result.data(), static_cast<int>(in.size()));
  const auto out = result.get();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Long x = in[i], y = static_cast<float>(in[i]);
    CHECK(ulps(out[8 * i], static_cast<double>(sinl(x))) <= 2);
    CHECK(ulps(out[8 * i + 1], static_cast<double>(cosl(x))) <= 2);
    CHECK(ulps(out[8 * i + 2], static_cast<double>(ref_sinpi(x))) <= 2);
    CHECK(ulps(out[8 * i + 3], static_cast<double>(ref_cospi(x))) <= 2);
    CHECK(ulps(static_cast<float>(out[8 * i + 4]), static_cast<float>(sinl(y))) <= 2);
    CHECK(ulps(static_cast<float>(out[8 * i + 5]), static_cast<float>(cosl(y))) <= 2);
    CHECK(ulps(static_cast<float>(out[8 * i + 6]), static_cast<float>(ref_sinpi(y))) <= 1);
    CHECK(ulps(static_cast<float>(out[8 * i + 7]), static_cast<float>(ref_cospi(y))) <= 1);
  }
}

int main() {
  test_pairs_of_numbers();
  test_exact();
  for (double range : {1e-310, 1e-160, 1.0, 1e160, 1e307}) test_norms<double>(norms, range, 1);
  for (double range : {1e-30, 1.0, 1e18, 1e37}) test_norms<float>(float_norms, range, 2);
  test_sincos();
  return check::finish();
}
