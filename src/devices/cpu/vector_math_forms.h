// What defines forms of math functions: the vector, its elements' type and number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever includes it is compiled for the instruction set of its forms as a whole, since vectors
// are passed in registers only there. So it uses nothing of the C++ library, of which the linker
// would keep that instruction set's copy.
#pragma once

#include "abi/math_functions.h"
#include "devices/cpu/math/double_angles.h"
#include "devices/cpu/math/double_errors.h"
#include "devices/cpu/math/double_gamma.h"
#include "devices/cpu/math/double_hyperbolic.h"
#include "devices/cpu/math/double_inverse_errors.h"
#include "devices/cpu/math/double_logarithms.h"
#include "devices/cpu/math/double_power.h"
#include "devices/cpu/math/double_powers.h"
#include "devices/cpu/math/float_angles.h"
#include "devices/cpu/math/float_bessel.h"
#include "devices/cpu/math/float_errors.h"
#include "devices/cpu/math/float_gamma.h"
#include "devices/cpu/math/float_hyperbolic.h"
#include "devices/cpu/math/float_inverse_errors.h"
#include "devices/cpu/math/float_logarithms.h"
#include "devices/cpu/math/float_power.h"
#include "devices/cpu/math/float_powers.h"
#include "devices/cpu/math/half_turns.h"
#include "devices/cpu/math/hypotenuses.h"
#include "devices/cpu/math/inverse_hyperbolic.h"
#include "devices/cpu/math/remainders.h"
#include "devices/cpu/math/roots.h"
#include "devices/cpu/math/trigonometric.h"

namespace gridspan::devices::cpu {

/// Do the functions of single numbers take the place of ours, lane by lane?
extern bool is_lane_by_lane;

}  // namespace gridspan::devices::cpu

#define PARAMETERS_1(Type) Type x
#define PARAMETERS_2(Type) Type x, Type y
#define TYPES_1(Type) Type
#define TYPES_2(Type) Type, Type
#define ARGUMENTS_1(Type) static_cast<Type>(x)
#define ARGUMENTS_2(Type) static_cast<Type>(x), static_cast<Type>(y)
#define LANE_1 x[i]
#define LANE_2 x[i], y[i]

#define SINGLE_c(name, suffix) __builtin_##name##suffix
#define SINGLE_cuda(name, suffix) __gridspan_##name##suffix
#define DECLARE_c(Real, name, suffix, arguments)
#define DECLARE_cuda(Real, name, suffix, arguments) \
  extern "C" Real __gridspan_##name##suffix(TYPES_##arguments(Real));

/// libgridspan's function of `Type`: `own`, or `single` where lanes are to go one by one.
#define DEFINE_FORM(form, Type, name, arguments, single, own)                           \
  extern "C" __attribute__((visibility("default"))) Type gridspan_math_##name##_##form( \
      PARAMETERS_##arguments(Type)) {                                                   \
    using namespace gridspan::devices::cpu;                                             \
    const bool is_single = __atomic_load_n(&is_lane_by_lane, __ATOMIC_RELAXED);         \
    if (__builtin_expect(is_single, 0)) return single;                                  \
    return own;                                                                         \
  }

/// Of one number, as a lane of `Vector`.
#define DEFINE_SINGLE(form, Real, suffix, Vector, name, arguments, library)                       \
  DECLARE_##library(Real, name, suffix, arguments) DEFINE_FORM(                                   \
      form, Real, name, arguments, (SINGLE_##library(name, suffix)(ARGUMENTS_##arguments(Real))), \
      (math::name(ARGUMENTS_##arguments(Vector))[0]))

#define DEFINE_VECTOR(form, Real, suffix, Vector, name, arguments, library)                       \
  DECLARE_##library(Real, name, suffix, arguments) static                                         \
      __attribute__((noinline)) Vector name##_##form##_by_lanes(PARAMETERS_##arguments(Vector)) { \
    Vector result;                                                                                \
    for (int i = 0; i < gridspan::devices::cpu::math::Parts<Vector>::count; ++i)                  \
      result[i] = SINGLE_##library(name, suffix)(LANE_##arguments);                               \
    return result;                                                                                \
  }                                                                                               \
  DEFINE_FORM(form, Vector, name, arguments,                                                      \
              (name##_##form##_by_lanes(ARGUMENTS_##arguments(Vector))),                          \
              (math::name(ARGUMENTS_##arguments(Vector))))
