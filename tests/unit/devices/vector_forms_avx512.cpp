// Vectors of 512 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_forms.h"

#define DEFINE(name, arguments, accuracy)       \
  DEFINE_APPLY(f32x16, __m512, name, arguments) \
  DEFINE_APPLY(f64x8, __m512d, name, arguments)
GRIDSPAN_MATH_FUNCTIONS(DEFINE)

#define LIST(name, arguments, accuracy) \
  LIST_FORM(f32x16, false, 16, name) LIST_FORM(f64x8, true, 8, name)

std::vector<vector_forms::Form> vector_forms::of_avx512() {
  return {GRIDSPAN_MATH_FUNCTIONS(LIST)};
}
