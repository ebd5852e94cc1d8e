// Times mathematical functions: the kernels of functions.py.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   functions [NAME...]    prints a line `NAME NANOSECONDS` for each: of one evaluation by 2^20
//                          threads, divided by 2^20
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int threads = 1 << 20, evaluations = 32, repetitions = 7;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "functions: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// Each thread's arguments lie evenly between `low` and `high`, and apart from those of others.
template <class Function, class Real>
__global__ void evaluate(Real* sums, Real low, Real step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Real x = low + step * (Real(i) / Real(threads)), sum = 0;
#pragma unroll 1
  for (int k = 0; k < evaluations; ++k, x += step) sum += Function()(x);
  sums[i] = sum;
}

std::set<std::string> wanted;

template <class Function, class Real>
void time(const char* name, double low, double high) {
  if (!wanted.empty() && wanted.count(name) == 0) return;
  Real* sums;
  check(cudaMalloc(&sums, threads * sizeof(Real)));
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  std::vector<float> milliseconds;
  for (int i = 0; i <= repetitions; ++i) {
    check(cudaEventRecord(start));
    evaluate<Function, Real>
        <<<threads / 256, 256>>>(sums, Real(low), Real((high - low) / evaluations));
    check(cudaGetLastError());
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    float time;
    check(cudaEventElapsedTime(&time, start, stop));
    if (i > 0) milliseconds.push_back(time);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("%s %.3f\n", name, milliseconds[repetitions / 2] * 1e6 / evaluations / 1024);
  std::fflush(stdout);
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  check(cudaFree(sums));
}

}  // namespace

#define TIME(Real, name, low, high, expression)                       \
  {                                                                   \
    struct Function {                                                 \
      __device__ Real operator()(Real x) const { return expression; } \
    };                                                                \
    time<Function, Real>(name, low, high);                            \
  }
// A function of float, and the one of double without the last letter.
#define BOTH(name, low, high)                   \
  TIME(float, #name "f", low, high, name##f(x)) \
  TIME(double, #name, low, high, name(x))
#define BOTH_OF_TWO(name, low, high, second)            \
  TIME(float, #name "f", low, high, name##f(x, second)) \
  TIME(double, #name, low, high, name(x, second))

int main(int count, char** words) {
  wanted.insert(words + 1, words + count);
  BOTH(exp, -20, 20)
  BOTH(exp2, -20, 20)
  BOTH(exp10, -10, 10)
  BOTH(expm1, -2, 2)
  BOTH(log, 0.01, 100)
  BOTH(log2, 0.01, 100)
  BOTH(log10, 0.01, 100)
  BOTH(log1p, -0.9, 10)
  BOTH(sqrt, 0.01, 100)
  BOTH(rsqrt, 0.01, 100)
  BOTH(cbrt, -100, 100)
  BOTH(rcbrt, 0.01, 100)
  BOTH(sin, -20, 20)
  BOTH(cos, -20, 20)
  BOTH(tan, -20, 20)
  BOTH(sinpi, -20, 20)
  BOTH(cospi, -20, 20)
  BOTH(asin, -1, 1)
  BOTH(acos, -1, 1)
  BOTH(atan, -10, 10)
  BOTH(sinh, -5, 5)
  BOTH(cosh, -5, 5)
  BOTH(tanh, -3, 3)
  BOTH(asinh, -10, 10)
  BOTH(acosh, 1, 20)
  BOTH(atanh, -1, 1)
  BOTH(erf, -3, 3)
  BOTH(erfc, -3, 6)
  BOTH(erfcx, -2, 20)
  BOTH(erfinv, -1, 1)
  BOTH(erfcinv, 0, 2)
  BOTH(normcdf, -6, 6)
  BOTH(normcdfinv, 0, 1)
  BOTH(lgamma, 0.1, 20)
  BOTH(tgamma, 0.1, 20)
  BOTH(j0, 0, 20)
  BOTH(j1, 0, 20)
  BOTH(y0, 0.1, 20)
  BOTH(cyl_bessel_i0, 0, 10)
  BOTH(floor, -20, 20)
  BOTH(round, -20, 20)
  BOTH_OF_TWO(pow, 0.1, 20, 1.37F)
  BOTH_OF_TWO(atan2, -10, 10, 1.37F)
  BOTH_OF_TWO(hypot, -10, 10, 1.37F)
  BOTH_OF_TWO(fmod, -100, 100, 1.37F)
  BOTH_OF_TWO(remainder, -100, 100, 1.37F)
  TIME(float, "1 / x (float)", 0.01, 100, 1 / x)
  TIME(double, "1 / x (double)", 0.01, 100, 1 / x)
}
