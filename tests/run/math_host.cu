// CUDA's own math functions in host code, and __host__ __device__ functions that use them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | rsqrt, sinpi, normcdf, erfinv, norm3d, min, max, ... in host code and in __host__ __device__ functions
#include "math_check.h"

#include <complex>

// Every function that CUDA adds to the host's, and min and max in all their forms.
struct Both {
  static constexpr int results = 32;
  __host__ __device__ static void compute(double x, double* out) {
    const float f = static_cast<float>(x);
    const int i = static_cast<int>(x * 10);
    const unsigned u = static_cast<unsigned>(i < 0 ? -i : i);
    out[0] = rsqrt(x);
    out[1] = rsqrtf(f);
    out[2] = rcbrt(x);
    out[3] = sinpi(x);
    out[4] = cospif(f);
    out[5] = normcdf(x);
    out[6] = normcdff(f);
    out[7] = erfinv(x / 10);
    out[8] = erfcinv(x / 4);
    out[9] = normcdfinv(x / 8);
    out[10] = erfcx(x);
    out[11] = cyl_bessel_i0(x);
    out[12] = cyl_bessel_i1f(f);
    out[13] = rhypot(x, 2.0);
    out[14] = norm3d(x, 1.0, 2.0);
    out[15] = norm4df(f, 1.0f, 2.0f, 3.0f);
    out[16] = rnorm3d(x, 1.0, 2.0);
    double s, c;
    sincospi(x, &s, &c);
    out[17] = s + c;
    out[18] = fdividef(f, 3.0f);
    out[19] = exp10(x);
    out[20] = min(i, 3) + max(i, 3);
    out[21] = min(u, 3u) + max(u, 7);
    out[22] = min(f, 1.0f) + max(f, 2.0f);
    out[23] = min(x, 1.0f) + max(2.0f, x);
    out[24] = static_cast<double>(max(1ll << 40, static_cast<long long>(i)));
    out[25] = umax(u, 5u) + llmin(-3ll, i);
    out[26] = sqrtf(f) + fabsf(f) + floorf(f);
    out[27] = pow(x, 3) + pow(f, 2);
    out[28] = abs(i) + abs(f) + abs(x);
    out[29] = jn(2, x) + y0(x);
    out[30] = isnan(x) + isinf(f) + signbit(-x);
    out[31] = fma(x, x, x) + fmaxf(f, 0.5f);
  }
};

__global__ void run(const double* in, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) Both::compute(in[i], out + i * Both::results);
}

__global__ void complex_numbers(const double* in, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  std::complex<double> z(in[i], 1.5);
  z = z * z / std::complex<double>(2.0, in[i]) + z;
  out[3 * i] = z.real();
  out[3 * i + 1] = z.imag();
  out[3 * i + 2] = std::norm(z);
}

int main() {
  check::Random random(8);
  const auto in = random.reals<double>(1003, 0.01, 7.9);
  check::Array<double> source(in), result(in.size() * Both::results), complex(in.size() * 3);
  run<<<11, 93>>>(source.data(), result.data(), 1003);
  std::vector<double> want(in.size() * Both::results), want_complex;
  for (std::size_t i = 0; i < in.size(); ++i) Both::compute(in[i], &want[i * Both::results]);
  // Results that went through float may differ in its last place.
  const bool is_float[Both::results] = {0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1,
                                        0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1};
  const auto out = result.get();
  std::vector<double> got[2], expected[2];
  for (std::size_t i = 0; i < out.size(); ++i) {
    got[is_float[i % Both::results]].push_back(out[i]);
    expected[is_float[i % Both::results]].push_back(want[i]);
  }
  check::near("double, host and device", got[0], expected[0], 1e-14);
  check::near("float, host and device", got[1], expected[1], 3e-7);
  complex_numbers<<<11, 93>>>(source.data(), complex.data(), 1003);
  for (double x : in) {
    std::complex<double> z(x, 1.5);
    z = z * z / std::complex<double>(2.0, x) + z;
    for (double part : {z.real(), z.imag(), std::norm(z)}) want_complex.push_back(part);
  }
  check::near("complex numbers", complex.get(), want_complex, 1e-13);
  // Against independent values.
  CHECK(std::fabs(normcdf(1.0) - 0.8413447460685429) < 1e-15);
  CHECK(std::fabs(normcdfinv(0.975) - 1.959963984540054) < 1e-14);
  CHECK(std::fabs(erfinv(0.5) - 0.4769362762044699) < 1e-15);
  CHECK(std::fabs(cyl_bessel_i0(1.0) - 1.2660658777520082) < 1e-14);
  CHECK_EQ(rsqrt(4.0f), 0.5f);
  CHECK_EQ(sinpi(0.5), 1.0);
  CHECK_EQ(max(3, 7u), 7u);
  CHECK_EQ(norm3d(2.0, 3.0, 6.0), 7.0);
  return check::finish();
}
