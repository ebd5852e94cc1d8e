// Math functions of vectors of 512 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/vector_math_forms.h"

#define DEFINE_FUNCTION(name, arguments, accuracy)                                \
  DEFINE_FORM(f32x16, __m512, float, 16, f16, avx512f, name, arguments, accuracy) \
  DEFINE_FORM(f64x8, __m512d, double, 8, d8, avx512f, name, arguments, accuracy)
GRIDSPAN_MATH_FUNCTIONS(DEFINE_FUNCTION)
