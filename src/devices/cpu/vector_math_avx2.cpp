// Math functions of single numbers, and of vectors of 128 and 256 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/vector_math_forms.h"

using Floats4 = gridspan::devices::cpu::math::VectorOf<float, 4>::Type;
using Floats8 = gridspan::devices::cpu::math::VectorOf<float, 8>::Type;
using Doubles2 = gridspan::devices::cpu::math::VectorOf<double, 2>::Type;
using Doubles4 = gridspan::devices::cpu::math::VectorOf<double, 4>::Type;

#define DEFINE_FLOAT(...)                              \
  DEFINE_SINGLE(f32, float, f, Floats4, __VA_ARGS__)   \
  DEFINE_VECTOR(f32x4, float, f, Floats4, __VA_ARGS__) \
  DEFINE_VECTOR(f32x8, float, f, Floats8, __VA_ARGS__)
GRIDSPAN_FLOAT_FUNCTIONS(DEFINE_FLOAT)

#define DEFINE_DOUBLE(...)                            \
  DEFINE_SINGLE(f64, double, , Doubles2, __VA_ARGS__) \
  DEFINE_VECTOR(f64x4, double, , Doubles4, __VA_ARGS__)
GRIDSPAN_DOUBLE_FUNCTIONS(DEFINE_DOUBLE)
