// Math functions of vectors of 128 and 256 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/vector_math_forms.h"

#define DEFINE_FUNCTION(name, arguments, accuracy)                             \
  DEFINE_FORM(f32x4, __m128, float, 4, f4, avx2128, name, arguments, accuracy) \
  DEFINE_FORM(f32x8, __m256, float, 8, f8, avx2, name, arguments, accuracy)    \
  DEFINE_FORM(f64x4, __m256d, double, 4, d4, avx2, name, arguments, accuracy)
GRIDSPAN_MATH_FUNCTIONS(DEFINE_FUNCTION)
