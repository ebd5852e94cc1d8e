// What defines forms of math functions: the vector, its elements' type and number, SLEEF's mark.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever includes it is compiled for the instruction set of its forms as a whole, since vectors
// are passed in registers only there. So it uses nothing of the C++ library, of which the linker
// would keep that instruction set's copy.
#pragma once

#include "abi/math_functions.h"

#include <immintrin.h>

namespace gridspan::devices::cpu {

/// Function `name` of SLEEF, or `fallback`.
void* find_math(const char* name, void* fallback);

}  // namespace gridspan::devices::cpu

#define PARAMETERS_1(Vector) Vector x
#define PARAMETERS_2(Vector) Vector x, Vector y
#define TYPES_1(Vector) Vector
#define TYPES_2(Vector) Vector, Vector
#define ARGUMENTS_1 x
#define ARGUMENTS_2 x, y
#define LANE_1(Scalar, i) lane<Scalar>(x, i)
#define LANE_2(Scalar, i) lane<Scalar>(x, i), lane<Scalar>(y, i)
#define TEXT(text) #text

template <class Scalar, class Vector>
static Scalar lane(const Vector& all, int i) {
  Scalar one;
  __builtin_memcpy(&one, reinterpret_cast<const char*>(&all) + i * int{sizeof one}, sizeof one);
  return one;
}

// The C library's functions, chosen by type.
#define C_LIBRARY(name, arguments, accuracy)                                   \
  [[maybe_unused]] static float libm_##name(PARAMETERS_##arguments(float)) {   \
    return __builtin_##name##f(ARGUMENTS_##arguments);                         \
  }                                                                            \
  [[maybe_unused]] static double libm_##name(PARAMETERS_##arguments(double)) { \
    return __builtin_##name(ARGUMENTS_##arguments);                            \
  }
GRIDSPAN_MATH_FUNCTIONS(C_LIBRARY)

/// DEFINE_FORM of each function looks SLEEF's up at the first call.
#define DEFINE_FORM(form, Vector, Scalar, count, letter, mark, name, arguments, accuracy)        \
  static Vector name##_##form##_by_lanes(PARAMETERS_##arguments(Vector)) {                       \
    Scalar results[count];                                                                       \
    for (int i = 0; i < count; ++i) results[i] = libm_##name(LANE_##arguments(Scalar, i));       \
    Vector result;                                                                               \
    __builtin_memcpy(&result, results, sizeof result);                                           \
    return result;                                                                               \
  }                                                                                              \
  extern "C" __attribute__((visibility("default"))) Vector gridspan_math_##name##_##form(        \
      PARAMETERS_##arguments(Vector)) {                                                          \
    static void* found = nullptr;                                                                \
    void* function = __atomic_load_n(&found, __ATOMIC_RELAXED);                                  \
    if (__builtin_expect(!function, 0)) {                                                        \
      function =                                                                                 \
          gridspan::devices::cpu::find_math(TEXT(Sleef_finz_##name##letter##_u##accuracy##mark), \
                                            reinterpret_cast<void*>(&name##_##form##_by_lanes)); \
      __atomic_store_n(&found, function, __ATOMIC_RELAXED);                                      \
    }                                                                                            \
    return reinterpret_cast<Vector (*)(TYPES_##arguments(Vector))>(function)(                    \
        ARGUMENTS_##arguments);                                                                  \
  }
