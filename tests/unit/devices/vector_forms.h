// Every form of the math functions for one instruction set, as functions of arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by one source for each instruction set, compiled for it.
#pragma once

#include "abi/math_functions.h"

#include <immintrin.h>
#include <cstring>
#include <vector>

namespace vector_forms {

/// result[i] = function(x[i], y[i]) for one vector.
struct Form {
  const char* name;
  bool is_double;
  int lanes;
  void (*apply)(void* result, const void* x, const void* y);
};

std::vector<Form> of_avx2();
std::vector<Form> of_avx512();

}  // namespace vector_forms

#define TYPES_1(Vector) Vector
#define TYPES_2(Vector) Vector, Vector
#define CALL_1(function) function(x)
#define CALL_2(function) function(x, y)

#define DEFINE_APPLY(form, Vector, name, arguments)                                       \
  extern "C" Vector gridspan_math_##name##_##form(TYPES_##arguments(Vector));             \
  static void apply_##name##_##form(void* result, const void* from, const void* second) { \
    Vector x, y, all;                                                                     \
    std::memcpy(&x, from, sizeof x);                                                      \
    std::memcpy(&y, second, sizeof y);                                                    \
    all = CALL_##arguments(gridspan_math_##name##_##form);                                \
    std::memcpy(result, &all, sizeof all);                                                \
  }
#define LIST_FORM(form, is_double, lanes, name) {#name, is_double, lanes, apply_##name##_##form},
