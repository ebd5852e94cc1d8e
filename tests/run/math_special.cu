// CUDA's special functions: inverse error functions, the normal distribution, Bessel functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | erfinv, erfcinv, erfcx, normcdf, normcdfinv within CUDA's error bounds
// FEATURE: Math functions | j0, j1, jn, y0, y1, yn, cyl_bessel_i0, cyl_bessel_i1
#include "math_check.h"

using namespace math_check;

// The inverses are checked by what they invert, in long double: with f(x) = y, a result off by n
// ulp has |f(x) - y| <= n ulp(x) |f'(x)|.
template <class Real>
void check_inverse(const char* name, const std::vector<Real>& in, const std::vector<Real>& out,
                   Long (*function)(Long), Long (*derivative)(Long), double bound) {
  double worst = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    ++check::comparisons;
    if (!std::isfinite(out[i]) || out[i] == 0) continue;
    const Long x = out[i];
    const Long ulp = std::nextafter(std::fabs(out[i]), std::numeric_limits<Real>::infinity()) -
                     std::fabs(out[i]);
    const Long off = fabsl((function(x) - in[i]) / derivative(x)) / ulp;
    worst = std::fmax(worst, static_cast<double>(off));
    if (off > bound + 0.5 && ++check::failures <= 20) {
      std::fprintf(stderr, "%s(%.17g) is %.17g, off by %g ulp\n", name, static_cast<double>(in[i]),
                   static_cast<double>(out[i]), static_cast<double>(off));
    }
  }
  std::printf("%-12s %.2f ulp, allowed %g\n", name, worst, bound);
}

Long erf_slope(Long x) { return 2 / sqrtl(pi) * expl(-x * x); }
Long erfc_slope(Long x) { return -erf_slope(x); }
Long normcdf_of(Long x) { return erfcl(-x / sqrtl(2)) / 2; }
Long normcdf_slope(Long x) { return expl(-x * x / 2) / sqrtl(2 * pi); }
Long erfcx_of(Long x) {
  // The product overflows and underflows beyond 100, where two terms of the expansion do.
  return x < 100 ? expl(x * x) * erfcl(x)
                 : (1 - 1 / (2 * x * x) + 3 / (4 * x * x * x * x)) / (x * sqrtl(pi));
}

#define RUN(Real, function, in, out)                                                   \
  std::vector<Real> out;                                                               \
  do {                                                                                 \
    struct Call {                                                                      \
      __device__ Real operator()(Real x) const { return function(x); }                 \
    };                                                                                 \
    check::Array<Real> source(in), result(in.size());                                  \
    const int count = static_cast<int>(in.size());                                     \
    apply<Call, Real><<<(count + 95) / 96, 96>>>(source.data(), result.data(), count); \
    out = result.get();                                                                \
  } while (0)

template <class Real>
std::vector<Real> probabilities(double low, double high) {
  auto values = arguments<Real>(4001, low, high, 9);
  std::vector<Real> inside;
  for (Real x : values) {
    if (x > low && x < high) inside.push_back(x);
  }
  return inside;
}

void test_inverses() {
  const auto symmetric = probabilities<double>(-1, 1);
  RUN(double, erfinv, symmetric, inverse);
  check_inverse("erfinv", symmetric, inverse, erfl, erf_slope, 5);
  const auto doubled = probabilities<double>(0, 2);
  RUN(double, erfcinv, doubled, complement);
  check_inverse("erfcinv", doubled, complement, erfcl, erfc_slope, 6);
  const auto unit = probabilities<double>(0, 1);
  RUN(double, normcdfinv, unit, quantile);
  check_inverse("normcdfinv", unit, quantile, normcdf_of, normcdf_slope, 8);

  const auto symmetric_float = probabilities<float>(-1, 1);
  RUN(float, erfinvf, symmetric_float, inverse_float);
  check_inverse("erfinvf", symmetric_float, inverse_float, erfl, erf_slope, 2);
  const auto doubled_float = probabilities<float>(0, 2);
  RUN(float, erfcinvf, doubled_float, complement_float);
  check_inverse("erfcinvf", doubled_float, complement_float, erfcl, erfc_slope, 4);
  const auto unit_float = probabilities<float>(0, 1);
  RUN(float, normcdfinvf, unit_float, quantile_float);
  check_inverse("normcdfinvf", unit_float, quantile_float, normcdf_of, normcdf_slope, 5);

  const std::vector<double> edges = {-1, 1, 0, -0.0, 2, 1.5, NAN, INFINITY};
  RUN(double, erfinv, edges, edge_inverse);
  RUN(double, erfcinv, edges, edge_complement);
  RUN(double, normcdfinv, edges, edge_quantile);
  const double inf = INFINITY;
  check::equal("erfinv edges", edge_inverse,
               std::vector<double>{-inf, inf, 0, -0.0, NAN, NAN, NAN, NAN});
  check::equal("erfcinv edges",
               std::vector<double>(edge_complement.begin(), edge_complement.begin() + 5),
               std::vector<double>{NAN, 0, inf, inf, -inf});
  check::equal("normcdfinv edges", edge_quantile,
               std::vector<double>{NAN, inf, -inf, -inf, NAN, NAN, NAN, NAN});
}

void test_distributions() {
  TEST_FUNCTION(double, normcdf, normcdf_of, -36, 36, 5);
  TEST_FUNCTION(float, normcdff, normcdf_of, -13, 13, 5);
  TEST_FUNCTION(double, erfcx, erfcx_of, -26, 1e150, 4);
  TEST_FUNCTION(float, erfcxf, erfcx_of, -9, 1e15, 4);
}

// Series in long double, independent of the implementation's switch at 30.
Long i_series(int order, Long x) {
  Long term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000; ++k) {
    term *= x * x / 4 / (static_cast<Long>(k) * (k + order));
    sum += term;
  }
  return sum;
}
// Integral of cos(n t - x sin t) over [0, pi], by the trapezoidal rule: its error vanishes faster
// than any power of the step for this periodic function.
Long j_integral(int order, Long x) {
  const int steps = 400;
  Long sum = 0;
  for (int k = 0; k < steps; ++k) {
    const Long t = 2 * pi * k / steps;
    sum += cosl(order * t - x * sinl(t));
  }
  return sum / steps;
}
// J(n+1) Y(n) - J(n) Y(n+1) = 2 / (pi x)
void test_bessel() {
  TEST_FUNCTION(double, cyl_bessel_i0, [](Long v) { return i_series(0, v); }, -700, 700, 6);
  TEST_FUNCTION(double, cyl_bessel_i1, [](Long v) { return i_series(1, v); }, -700, 700, 6);
  TEST_FUNCTION(float, cyl_bessel_i0f, [](Long v) { return i_series(0, v); }, -85, 85, 6);
  TEST_FUNCTION(float, cyl_bessel_i1f, [](Long v) { return i_series(1, v); }, -85, 85, 6);

  check::Random random(21);
  const auto in = random.reals<double>(2003, 0.01, 60);
  RUN(double, j0, in, j0_out);
  RUN(double, j1, in, j1_out);
  RUN(double, y0, in, y0_out);
  RUN(double, y1, in, y1_out);
  std::vector<double> j0_want, j1_want, wronskian, wronskian_want;
  for (std::size_t i = 0; i < in.size(); ++i) {
    j0_want.push_back(static_cast<double>(j_integral(0, in[i])));
    j1_want.push_back(static_cast<double>(j_integral(1, in[i])));
    wronskian.push_back((j1_out[i] * y0_out[i] - j0_out[i] * y1_out[i]) * in[i]);
    wronskian_want.push_back(static_cast<double>(2 / pi));
  }
  check::near("j0", j0_out, j0_want, 1e-15);
  check::near("j1", j1_out, j1_want, 1e-15);
  check::near("y0, y1", wronskian, wronskian_want, 1e-14);
  std::vector<float> narrow(in.begin(), in.end()), j0f_want;
  RUN(float, j0f, narrow, j0f_out);
  for (float x : narrow) j0f_want.push_back(static_cast<float>(j_integral(0, x)));
  check::near("j0f", j0f_out, j0f_want, 3e-7);
}

__global__ void orders(const double* in, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (int n = 0; n < 6; ++n) {
    out[12 * i + n] = jn(n, in[i]);
    out[12 * i + 6 + n] = yn(n, in[i]);
  }
}
// J(n-1) + J(n+1) = 2n/x J(n), and so for Y.
void test_orders() {
  check::Random random(22);
  const auto in = random.reals<double>(301, 0.5, 40);
  check::Array<double> source(in), result(12 * in.size());
  orders<<<10, 31>>>(source.data(), result.data(), static_cast<int>(in.size()));
  const auto out = result.get();
  for (std::size_t i = 0; i < in.size(); ++i) {
    for (int n = 1; n < 5; ++n) {
      const double* j = &out[12 * i];
      const double* y = j + 6;
      CHECK(std::fabs(j[n - 1] + j[n + 1] - 2 * n / in[i] * j[n]) < 1e-13);
      const double scale = std::fabs(y[n - 1]) + std::fabs(y[n + 1]);
      CHECK(std::fabs(y[n - 1] + y[n + 1] - 2 * n / in[i] * y[n]) < 1e-13 * (1 + scale));
    }
    CHECK(std::fabs(out[12 * i + 3] - static_cast<double>(j_integral(3, in[i]))) < 1e-14);
  }
}

int main() {
  test_inverses();
  test_distributions();
  test_bessel();
  test_orders();
  return check::finish();
}
