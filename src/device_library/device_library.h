// Conventions of the device math library for CPUs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These sources are compiled to one bitcode file that the device compiler links into each module of
// kernels. They call only the C math library, by its names, so that a vector library can take its
// place, and libgridspan (gridspan_math_*, see host/). Errors are given in ulp of the correctly
// rounded result and stay within those the CUDA Programming Guide lists.
#pragma once

#include <cstdint>

// host/host_functions.cpp includes the sources for its own use and defines this as static.
#ifndef DEVICE_FUNCTION
#define DEVICE_FUNCTION extern "C" __attribute__((visibility("default")))
#endif
// Small enough to disappear into the caller even in builds without an inliner.
#define DEVICE_INLINE DEVICE_FUNCTION __attribute__((always_inline))
#define HELPER static inline __attribute__((always_inline))
// What hardly any lane needs stays a call: one test passes all of it, and vectors keep the common
// way.
#define RARE static __attribute__((noinline))

namespace gridspan::device_library {

template <class To, class From>
HELPER To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

HELPER bool is_finite(float x) { return __builtin_isfinite(x); }
HELPER bool is_finite(double x) { return __builtin_isfinite(x); }
HELPER bool is_nan(float x) { return __builtin_isnan(x); }
HELPER bool is_nan(double x) { return __builtin_isnan(x); }

/// The next number up or down; from ±0 the smallest subnormal. Not for NaN, nor beyond infinity.
HELPER float next_up(float x) {
  if (x == 0) return 0x1p-149F;
  auto bits = bits_as<std::int32_t>(x);
  return bits_as<float>(bits < 0 ? bits - 1 : bits + 1);
}
HELPER double next_up(double x) {
  if (x == 0) return 0x1p-1074;
  auto bits = bits_as<std::int64_t>(x);
  return bits_as<double>(bits < 0 ? bits - 1 : bits + 1);
}
HELPER float next_down(float x) { return -next_up(-x); }
HELPER double next_down(double x) { return -next_up(-x); }

/// high + low is a + b exactly (Knuth), barring overflow.
struct Sum {
  double high, low;
};
HELPER Sum two_sum(double a, double b) {
  double high = a + b;
  double b_part = high - a;
  return {high, (a - (high - b_part)) + (b - b_part)};
}

}  // namespace gridspan::device_library
