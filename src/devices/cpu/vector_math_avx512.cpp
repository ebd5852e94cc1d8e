// Math functions of vectors of 512 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/vector_math_forms.h"

using Floats16 = gridspan::devices::cpu::math::VectorOf<float, 16>::Type;
using Doubles8 = gridspan::devices::cpu::math::VectorOf<double, 8>::Type;

#define DEFINE_FLOAT(...) DEFINE_VECTOR(f32x16, float, f, Floats16, __VA_ARGS__)
GRIDSPAN_FLOAT_FUNCTIONS(DEFINE_FLOAT)

#define DEFINE_DOUBLE(...) DEFINE_VECTOR(f64x8, double, , Doubles8, __VA_ARGS__)
GRIDSPAN_DOUBLE_FUNCTIONS(DEFINE_DOUBLE)
