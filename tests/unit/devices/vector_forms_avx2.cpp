// Vectors of 128 and 256 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_forms.h"

#define DEFINE_FLOAT(name, arguments, library) \
  DEFINE_APPLY(f32x4, __m128, name, arguments) \
  DEFINE_APPLY(f32x8, __m256, name, arguments)
GRIDSPAN_FLOAT_FUNCTIONS(DEFINE_FLOAT)
#define DEFINE_DOUBLE(name, arguments, library) DEFINE_APPLY(f64x4, __m256d, name, arguments)
GRIDSPAN_DOUBLE_FUNCTIONS(DEFINE_DOUBLE)

#define LIST_FLOAT(name, arguments, library) \
  LIST_FORM(f32x4, false, 4, name) LIST_FORM(f32x8, false, 8, name)
#define LIST_DOUBLE(name, arguments, library) LIST_FORM(f64x4, true, 4, name)

std::vector<vector_forms::Form> vector_forms::of_avx2() {
  return {GRIDSPAN_FLOAT_FUNCTIONS(LIST_FLOAT) GRIDSPAN_DOUBLE_FUNCTIONS(LIST_DOUBLE)};
}
