// Math functions of threads that run as vectors: the same bits however threads are gathered.
// RUN: %gridcc -O3 %s -o %t
// RUN: llvm-nm -u %t | FileCheck %s --check-prefix=SYMBOLS
// RUN: %t > %t.regions
// RUN: env GRIDSPAN_CPU=interpret %t > %t.interpret
// RUN: env GRIDSPAN_DEVICES=cpu:3 %t > %t.three
// RUN: env GRIDSPAN_CPU_MATH=libm %t > %t.libm
// RUN: env GRIDSPAN_CPU_MATH=libm GRIDSPAN_CPU=interpret %t > %t.libm.interpret
// RUN: env GRIDSPAN_VERIFY=1 %t > %t.verified 2> /dev/null
// RUN: diff %t.regions %t.verified
// RUN: diff %t.regions %t.interpret
// RUN: diff %t.regions %t.three
// RUN: diff %t.libm %t.libm.interpret
// RUN: FileCheck %s < %t.regions
// RUN: FileCheck %s < %t.libm
// RUN: not env GRIDSPAN_CPU_MATH=svml %t 2>&1 | FileCheck %s --check-prefix=WRONG

// SYMBOLS-DAG: gridspan_math_exp_f32x8
// SYMBOLS-DAG: gridspan_math_normcdf_f32x8
// SYMBOLS-DAG: gridspan_math_sin_f64x4
// SYMBOLS-DAG: gridspan_math_fmod_f64x4
// SYMBOLS-DAG: gridspan_math_sinpi_f64x4
// SYMBOLS-DAG: gridspan_math_cospi_f64x4
// What no vector calls is a single number's.
// SYMBOLS-DAG: __gridspan_erfcx
// CHECK: 0 wrong of 7697
// WRONG: GRIDSPAN_CPU_MATH

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

// Blocks of 37: a row is never whole vectors. Some lanes take another way.
__global__ void reals(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i];
  if (a < 0.3f)
    y[i] = expf(a) + tanhf(a) + normcdff(a) + powf(fabsf(a), a);
  else
    y[i] = logf(a) * cosf(a) + erff(a) + cbrtf(a);
}

__global__ void doubles(const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], sum = 0;
  for (int k = 0; k < i % 5; ++k) sum += sin(a + k) * exp(-a) + atan2(a, k + 1.0);
  double sine, cosine;
  sincospi(a, &sine, &cosine);
  y[i] = sum + fmod(a, 0.3) + sine + cosine;
}

__global__ void one(double* x) { *x = erfcx(*x); }

int main() {
  const int n = 37 * 104;
  std::vector<float> x(n), y(n, -77);
  std::vector<double> v(n), w(n, -77);
  std::uint32_t seed = 5;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    v[i] = seed * 0x1p-30 - 1;
    x[i] = static_cast<float>(v[i]);
  }
  float *dx, *dy;
  double *dv, *dw;
  cudaMalloc(&dx, n * 4), cudaMalloc(&dy, n * 4), cudaMalloc(&dv, n * 8), cudaMalloc(&dw, n * 8);
  cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyDefault);
  cudaMemcpy(dv, v.data(), n * 8, cudaMemcpyDefault);
  reals<<<104, 37>>>(dx, dy, n);
  doubles<<<104, 37>>>(dv, dw, n);
  cudaMemcpy(y.data(), dy, n * 4, cudaMemcpyDefault);
  cudaMemcpy(w.data(), dw, n * 8, cudaMemcpyDefault);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    double a = x[i];
    double real = a < 0.3f ? exp(a) + tanh(a) + normcdf(a) + pow(fabs(a), a) : log(a) * cos(a) + erf(a) + cbrt(a);
    double b = v[i], sum = 0;
    for (int k = 0; k < i % 5; ++k) sum += sin(b + k) * exp(-b) + atan2(b, k + 1.0);
    sum += fmod(b, 0.3) + sinpi(b) + cospi(b);
    wrong += !(fabs(y[i] - real) <= 1e-6 * (1 + fabs(real)));
    wrong += !(fabs(w[i] - sum) <= 1e-14 * (1 + fabs(sum)));
    std::uint32_t bits;
    std::uint64_t wide;
    memcpy(&bits, &y[i], 4), memcpy(&wide, &w[i], 8);
    printf("%08x %016llx\n", bits, static_cast<unsigned long long>(wide));
  }
  const double argument = v[0];
  one<<<1, 1>>>(dv);
  cudaMemcpy(v.data(), dv, 8, cudaMemcpyDefault);
  wrong += !(fabs(v[0] - erfcx(argument)) <= 1e-15 * erfcx(argument));
  printf("%d wrong of %d\n", wrong, 2 * n + 1);
}
