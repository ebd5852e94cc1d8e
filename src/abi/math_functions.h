// Math functions that kernels call for a vector of threads at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each function and each form libgridspan has gridspan_math_FUNCTION_FORM:
// gridspan_math_exp_f32 for one float, gridspan_math_exp_f32x8 for eight. All forms give the same
// results, bit by bit, so that a kernel's results do not depend on how its threads are gathered.
#pragma once

/// FUNCTION(name, arguments, library): the name of the double function, one or two arguments, and
/// whose function single numbers get where no vectors call it: the C library's (c), or that of
/// CUDA's functions on the host (cuda: __gridspan_NAME of device_library/host), where C has none or
/// its errors exceed the CUDA Programming Guide's bounds. Ours stay within them for arguments of
/// any size.
#define GRIDSPAN_FLOAT_FUNCTIONS(FUNCTION) \
  FUNCTION(acos, 1, c)                     \
  FUNCTION(acosh, 1, c)                    \
  FUNCTION(asin, 1, c)                     \
  FUNCTION(asinh, 1, c)                    \
  FUNCTION(atan, 1, c)                     \
  FUNCTION(atan2, 2, c)                    \
  FUNCTION(atanh, 1, c)                    \
  FUNCTION(cbrt, 1, c)                     \
  FUNCTION(cos, 1, c)                      \
  FUNCTION(cosh, 1, c)                     \
  FUNCTION(cospi, 1, cuda)                 \
  FUNCTION(cyl_bessel_i0, 1, cuda)         \
  FUNCTION(cyl_bessel_i1, 1, cuda)         \
  FUNCTION(erf, 1, c)                      \
  FUNCTION(erfc, 1, c)                     \
  FUNCTION(erfcinv, 1, cuda)               \
  FUNCTION(erfcx, 1, cuda)                 \
  FUNCTION(erfinv, 1, cuda)                \
  FUNCTION(exp, 1, c)                      \
  FUNCTION(exp10, 1, c)                    \
  FUNCTION(exp2, 1, c)                     \
  FUNCTION(expm1, 1, c)                    \
  FUNCTION(fmod, 2, c)                     \
  FUNCTION(hypot, 2, cuda)                 \
  FUNCTION(j0, 1, cuda)                    \
  FUNCTION(j1, 1, cuda)                    \
  FUNCTION(lgamma, 1, cuda)                \
  FUNCTION(log, 1, c)                      \
  FUNCTION(log10, 1, c)                    \
  FUNCTION(log1p, 1, c)                    \
  FUNCTION(log2, 1, c)                     \
  FUNCTION(normcdf, 1, cuda)               \
  FUNCTION(normcdfinv, 1, cuda)            \
  FUNCTION(pow, 2, c)                      \
  FUNCTION(rcbrt, 1, cuda)                 \
  FUNCTION(remainder, 2, c)                \
  FUNCTION(rhypot, 2, cuda)                \
  FUNCTION(sin, 1, c)                      \
  FUNCTION(sinh, 1, c)                     \
  FUNCTION(sinpi, 1, cuda)                 \
  FUNCTION(tan, 1, c)                      \
  FUNCTION(tanh, 1, c)                     \
  FUNCTION(tgamma, 1, cuda)

#define GRIDSPAN_DOUBLE_FUNCTIONS(FUNCTION) \
  FUNCTION(acos, 1, c)                      \
  FUNCTION(acosh, 1, c)                     \
  FUNCTION(asin, 1, c)                      \
  FUNCTION(asinh, 1, c)                     \
  FUNCTION(atan, 1, c)                      \
  FUNCTION(atan2, 2, c)                     \
  FUNCTION(atanh, 1, c)                     \
  FUNCTION(cbrt, 1, cuda)                   \
  FUNCTION(cos, 1, c)                       \
  FUNCTION(cosh, 1, c)                      \
  FUNCTION(cospi, 1, cuda)                  \
  FUNCTION(erf, 1, c)                       \
  FUNCTION(erfc, 1, c)                      \
  FUNCTION(erfcinv, 1, cuda)                \
  FUNCTION(erfcx, 1, cuda)                  \
  FUNCTION(erfinv, 1, cuda)                 \
  FUNCTION(exp, 1, c)                       \
  FUNCTION(exp10, 1, cuda)                  \
  FUNCTION(exp2, 1, c)                      \
  FUNCTION(expm1, 1, c)                     \
  FUNCTION(fmod, 2, c)                      \
  FUNCTION(hypot, 2, c)                     \
  FUNCTION(lgamma, 1, cuda)                 \
  FUNCTION(log, 1, c)                       \
  FUNCTION(log10, 1, cuda)                  \
  FUNCTION(log1p, 1, c)                     \
  FUNCTION(log2, 1, c)                      \
  FUNCTION(normcdf, 1, cuda)                \
  FUNCTION(normcdfinv, 1, cuda)             \
  FUNCTION(pow, 2, c)                       \
  FUNCTION(rcbrt, 1, cuda)                  \
  FUNCTION(remainder, 2, c)                 \
  FUNCTION(rhypot, 2, cuda)                 \
  FUNCTION(sin, 1, c)                       \
  FUNCTION(sinh, 1, c)                      \
  FUNCTION(sinpi, 1, cuda)                  \
  FUNCTION(tan, 1, c)                       \
  FUNCTION(tanh, 1, cuda)                   \
  FUNCTION(tgamma, 1, c)
