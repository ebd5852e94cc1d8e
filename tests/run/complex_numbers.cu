// cuComplex.h: its functions on the device and on the host, beside the formulas in more digits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | `cuComplex.h`: arithmetic, conjugates, quotients and absolute values, also of numbers whose squares overflow
#include "check.h"

#include <cuComplex.h>

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <vector>

struct Single {
  using Real = float;
  using Complex = cuFloatComplex;
  static __host__ __device__ Complex make(Real x, Real y) { return make_cuFloatComplex(x, y); }
  static __host__ __device__ Complex sum(Complex x, Complex y) { return cuCaddf(x, y); }
  static __host__ __device__ Complex difference(Complex x, Complex y) { return cuCsubf(x, y); }
  static __host__ __device__ Complex product(Complex x, Complex y) { return cuCmulf(x, y); }
  static __host__ __device__ Complex quotient(Complex x, Complex y) { return cuCdivf(x, y); }
  static __host__ __device__ Complex fused(Complex x, Complex y, Complex z) {
    return cuCfmaf(x, y, z);
  }
  static __host__ __device__ Complex conjugate(Complex x) { return cuConjf(x); }
  static __host__ __device__ Real size(Complex x) { return cuCabsf(x); }
};
struct Double {
  using Real = double;
  using Complex = cuDoubleComplex;
  static __host__ __device__ Complex make(Real x, Real y) { return make_cuDoubleComplex(x, y); }
  static __host__ __device__ Complex sum(Complex x, Complex y) { return cuCadd(x, y); }
  static __host__ __device__ Complex difference(Complex x, Complex y) { return cuCsub(x, y); }
  static __host__ __device__ Complex product(Complex x, Complex y) { return cuCmul(x, y); }
  static __host__ __device__ Complex quotient(Complex x, Complex y) { return cuCdiv(x, y); }
  static __host__ __device__ Complex fused(Complex x, Complex y, Complex z) {
    return cuCfma(x, y, z);
  }
  static __host__ __device__ Complex conjugate(Complex x) { return cuConj(x); }
  static __host__ __device__ Real size(Complex x) { return cuCabs(x); }
};

constexpr int results = 6;
template <class Of>
__host__ __device__ void all_of(typename Of::Complex x, typename Of::Complex y,
                                typename Of::Complex* out, typename Of::Real* size) {
  out[0] = Of::sum(x, y);
  out[1] = Of::difference(x, y);
  out[2] = Of::product(x, y);
  out[3] = Of::quotient(x, y);
  out[4] = Of::fused(x, y, x);
  out[5] = Of::conjugate(x);
  *size = Of::size(x);
}

template <class Of>
__global__ void compute(const typename Of::Complex* x, const typename Of::Complex* y,
                        typename Of::Complex* out, typename Of::Real* sizes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) all_of<Of>(x[i], y[i], out + i * results, sizes + i);
}

using Wide = std::complex<long double>;

/// Of the whole number: parts may cancel.
template <class Of>
static void check_near(typename Of::Complex got, Wide want, long double scale) {
  const long double most = 8 * std::numeric_limits<typename Of::Real>::epsilon() * scale;
  CHECK(std::abs(got.x - want.real()) <= most && std::abs(got.y - want.imag()) <= most);
}

template <class Of>
static void check_all(typename Of::Complex x, typename Of::Complex y,
                      const typename Of::Complex* got, typename Of::Real size) {
  const Wide a(x.x, x.y), b(y.x, y.y);
  const long double larger = std::abs(a) + std::abs(b);
  check_near<Of>(got[0], a + b, larger);
  check_near<Of>(got[1], a - b, larger);
  check_near<Of>(got[2], a * b, std::abs(a) * std::abs(b));
  check_near<Of>(got[3], a / b, std::abs(a) / std::abs(b));
  check_near<Of>(got[4], a * b + a, std::abs(a) * std::abs(b) + std::abs(a));
  CHECK(got[5].x == x.x && got[5].y == -x.y);
  CHECK(std::abs(size - std::abs(a)) <=
        4 * std::numeric_limits<typename Of::Real>::epsilon() * std::abs(a));
}

template <class Of>
static void test(int n) {
  using Complex = typename Of::Complex;
  using Real = typename Of::Real;
  std::mt19937 generator(n);
  std::uniform_real_distribution<Real> part(-1, 1);
  // Squares of the sizes overflow or vanish, products do not.
  const int range = std::numeric_limits<Real>::max_exponent / 2 - 8;
  std::vector<Complex> x(n), y(n), out(n * results);
  std::vector<Real> sizes(n);
  for (int i = 0; i < n; ++i) {
    const int power = i % 3 == 0 ? 0 : static_cast<int>(generator() % (2 * range)) - range;
    x[i] = Of::make(std::ldexp(part(generator), power), std::ldexp(part(generator), power));
    y[i] = Of::make(std::ldexp(part(generator), -power), std::ldexp(part(generator), -power));
    if (i % 5 == 1) x[i].x = 0;
    if (i % 7 == 2) y[i].y = 0;
  }
  Complex *given, *other, *made;
  Real* lengths;
  CUDA_OK(cudaMalloc(&given, n * sizeof(Complex)));
  CUDA_OK(cudaMalloc(&other, n * sizeof(Complex)));
  CUDA_OK(cudaMalloc(&made, n * results * sizeof(Complex)));
  CUDA_OK(cudaMalloc(&lengths, n * sizeof(Real)));
  CUDA_OK(cudaMemset(made, 0xff, n * results * sizeof(Complex)));
  CUDA_OK(cudaMemset(lengths, 0xff, n * sizeof(Real)));
  CUDA_OK(cudaMemcpy(given, x.data(), n * sizeof(Complex), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(other, y.data(), n * sizeof(Complex), cudaMemcpyHostToDevice));
  compute<Of><<<(n + 63) / 64, 64>>>(given, other, made, lengths, n);
  CUDA_OK(cudaMemcpy(out.data(), made, n * results * sizeof(Complex), cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy(sizes.data(), lengths, n * sizeof(Real), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    check_all<Of>(x[i], y[i], &out[i * results], sizes[i]);
    Complex here[results];
    Real size;
    all_of<Of>(x[i], y[i], here, &size);
    check_all<Of>(x[i], y[i], here, size);
  }
  CUDA_OK(cudaFree(given));
  CUDA_OK(cudaFree(other));
  CUDA_OK(cudaFree(made));
  CUDA_OK(cudaFree(lengths));
}

/// What has no size, or none that is finite.
template <class Of>
static void test_limits() {
  using Real = typename Of::Real;
  const Real large = std::numeric_limits<Real>::max() / 2, infinite = INFINITY;
  CHECK(Of::size(Of::make(0, 0)) == 0);
  CHECK(Of::size(Of::make(-infinite, 1)) == infinite);
  CHECK(Of::size(Of::make(2, infinite)) == infinite);
  CHECK(Of::size(Of::make(large, large)) > large && Of::size(Of::make(large, large)) < infinite);
  CHECK(std::isnan(Of::size(Of::make(NAN, 1))) && std::isnan(Of::size(Of::make(1, NAN))));
}

int main() {
  for (const int n : {1, 61, 4001}) {
    test<Single>(n);
    test<Double>(n);
  }
  test_limits<Single>();
  test_limits<Double>();
  return check::finish();
}
