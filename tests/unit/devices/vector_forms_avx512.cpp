// Vectors of 512 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_forms.h"

#define DEFINE_FLOAT(name, arguments, library) DEFINE_APPLY(f32x16, __m512, name, arguments)
GRIDSPAN_FLOAT_FUNCTIONS(DEFINE_FLOAT)
#define DEFINE_DOUBLE(name, arguments, library) DEFINE_APPLY(f64x8, __m512d, name, arguments)
GRIDSPAN_DOUBLE_FUNCTIONS(DEFINE_DOUBLE)

#define LIST_FLOAT(name, arguments, library) LIST_FORM(f32x16, false, 16, name)
#define LIST_DOUBLE(name, arguments, library) LIST_FORM(f64x8, true, 8, name)

std::vector<vector_forms::Form> vector_forms::of_avx512() {
  return {GRIDSPAN_FLOAT_FUNCTIONS(LIST_FLOAT) GRIDSPAN_DOUBLE_FUNCTIONS(LIST_DOUBLE)};
}
