// The mathematical functions that are timed, on GPUs by functions.cu, on CPUs by ../cpu/functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

#ifdef __CUDACC__
// Function_NAME: the expression, for kernels.
#define REAL(type, name, low, high, expression)                     \
  struct Function_##name {                                          \
    __device__ type operator()(type x) const { return expression; } \
  };
FUNCTIONS
#undef REAL
#endif
