// Times mathematical functions: one evaluation by 2^20 threads, divided by 2^20.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   functions [NAME...]
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
  const double picoseconds = milliseconds[repetitions / 2] * 1e9 / evaluations / threads;
  std::printf("%s %.6g\n", name, picoseconds);
  std::fflush(stdout);
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  check(cudaFree(sums));
}

}  // namespace

// What is timed: REAL(type, name, arguments from, to, expression of x); ONE and TWO are functions
// of float and of double.
#define FUNCTIONS                         \
  ONE(exp, -20, 20)                       \
  ONE(exp2, -20, 20)                      \
  ONE(exp10, -10, 10)                     \
  ONE(expm1, -2, 2)                       \
  ONE(log, 0.01, 100)                     \
  ONE(log2, 0.01, 100)                    \
  ONE(log10, 0.01, 100)                   \
  ONE(log1p, -0.9, 10)                    \
  ONE(sqrt, 0.01, 100)                    \
  ONE(rsqrt, 0.01, 100)                   \
  ONE(cbrt, -100, 100)                    \
  ONE(rcbrt, 0.01, 100)                   \
  ONE(sin, -20, 20)                       \
  ONE(cos, -20, 20)                       \
  ONE(tan, -20, 20)                       \
  ONE(sinpi, -20, 20)                     \
  ONE(cospi, -20, 20)                     \
  ONE(asin, -1, 1)                        \
  ONE(acos, -1, 1)                        \
  ONE(atan, -10, 10)                      \
  ONE(sinh, -5, 5)                        \
  ONE(cosh, -5, 5)                        \
  ONE(tanh, -3, 3)                        \
  ONE(asinh, -10, 10)                     \
  ONE(acosh, 1, 20)                       \
  ONE(atanh, -1, 1)                       \
  ONE(erf, -3, 3)                         \
  ONE(erfc, -3, 6)                        \
  ONE(erfcx, -2, 20)                      \
  ONE(erfinv, -1, 1)                      \
  ONE(erfcinv, 0, 2)                      \
  ONE(normcdf, -6, 6)                     \
  ONE(normcdfinv, 0, 1)                   \
  ONE(lgamma, 0.1, 20)                    \
  ONE(tgamma, 0.1, 20)                    \
  ONE(j0, 0, 20)                          \
  ONE(j1, 0, 20)                          \
  ONE(y0, 0.1, 20)                        \
  ONE(cyl_bessel_i0, 0, 10)               \
  ONE(floor, -20, 20)                     \
  ONE(round, -20, 20)                     \
  TWO(pow, 0.1, 20, 1.37)                 \
  TWO(atan2, -10, 10, 1.37)               \
  TWO(hypot, -10, 10, 1.37)               \
  TWO(fmod, -100, 100, 1.37)              \
  TWO(remainder, -100, 100, 1.37)         \
  REAL(float, inversef, 0.01, 100, 1 / x) \
  REAL(double, inverse, 0.01, 100, 1 / x)

#define ONE(name, low, high) \
  REAL(float, name##f, low, high, name##f(x)) REAL(double, name, low, high, name(x))
#define TWO(name, low, high, second)                     \
  REAL(float, name##f, low, high, name##f(x, second##F)) \
  REAL(double, name, low, high, name(x, second))

#define REAL(type, name, low, high, expression)                     \
  struct Function_##name {                                          \
    __device__ type operator()(type x) const { return expression; } \
  };
FUNCTIONS
#undef REAL

int main(int count, char** words) {
  wanted.insert(words + 1, words + count);
  std::puts("# picoseconds of an evaluation");
#define REAL(type, name, low, high, expression) time<Function_##name, type>(#name, low, high);
  FUNCTIONS
#undef REAL
}
