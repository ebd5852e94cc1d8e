// Math functions that kernels call for a vector of threads at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each function and each form libgridspan has gridspan_math_FUNCTION_FORM:
// gridspan_math_exp_f32 for one float, gridspan_math_exp_f32x8 for eight. All forms give the same
// results, bit by bit, so that a kernel's results do not depend on how its threads are gathered.
#pragma once

/// FUNCTION(name, arguments, accuracy): the C library's name of the double function, one or two
/// arguments, and what SLEEF calls the bound of the errors (tenths of a unit in the last place).
/// All stay within the CUDA Programming Guide's bounds for arguments of any size; SLEEF's log1p,
/// sinh, cosh, asinh and acosh overflow too early, and its pow saves vectors
/// hardly anything and takes several times as long for one number.
#define GRIDSPAN_MATH_FUNCTIONS(FUNCTION) \
  FUNCTION(acos, 1, 10)                   \
  FUNCTION(asin, 1, 10)                   \
  FUNCTION(atan, 1, 10)                   \
  FUNCTION(atan2, 2, 10)                  \
  FUNCTION(atanh, 1, 10)                  \
  FUNCTION(cbrt, 1, 10)                   \
  FUNCTION(cos, 1, 10)                    \
  FUNCTION(erf, 1, 10)                    \
  FUNCTION(erfc, 1, 15)                   \
  FUNCTION(exp, 1, 10)                    \
  FUNCTION(exp10, 1, 10)                  \
  FUNCTION(exp2, 1, 10)                   \
  FUNCTION(expm1, 1, 10)                  \
  FUNCTION(log, 1, 10)                    \
  FUNCTION(log10, 1, 10)                  \
  FUNCTION(log2, 1, 10)                   \
  FUNCTION(sin, 1, 10)                    \
  FUNCTION(tan, 1, 10)                    \
  FUNCTION(tanh, 1, 10)
