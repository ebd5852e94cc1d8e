// What the kernels of random programs are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

/// An element of twelve bytes: no power of two.
struct Triple {
  unsigned a, b, c;
};

/// Arithmetic whose result depends on every operand and their order. Unsigned, so that nothing
/// overflows; floating point only with operations that are rounded the same way everywhere.
template <class T>
__device__ inline T mix(T a, T b) {
  return static_cast<T>(a * T(5) + (b ^ T(0x5b)) * T(3) + T(1));
}
// Which of two NaNs an operation returns depends on the order of its operands, which compilers may
// change: there are none.
template <class T>
__device__ inline T no_nan(T value) {
  return value == value ? value : T(0.5);
}
/// What affine kernels add up: a float that is no NaN.
struct Summand {
  float value;
  template <class T>
  __device__ explicit Summand(T from) : value(no_nan(static_cast<float>(from))) {}
  __device__ operator float() const { return value; }
};
__device__ inline float mix(float a, float b) { return no_nan(a * 0.5f - b * 0.25f + 1.0f); }
__device__ inline double mix(double a, double b) { return no_nan(a * 0.5 - b * 0.25 + 1.0); }
__device__ inline Triple mix(Triple x, Triple y) {
  return {mix(x.a, y.b), mix(x.b, y.c), mix(x.c, y.a)};
}

/// A value made of a number.
template <class T>
__device__ inline T from_number(unsigned long long i) {
  return static_cast<T>(i * 7 + 3);
}
template <>
__device__ inline float from_number<float>(unsigned long long i) {
  return static_cast<float>(i & 1023);
}
template <>
__device__ inline double from_number<double>(unsigned long long i) {
  return static_cast<double>(i & 1023);
}
template <>
__device__ inline Triple from_number<Triple>(unsigned long long i) {
  return {static_cast<unsigned>(i), static_cast<unsigned>(i * 3), static_cast<unsigned>(i + 9)};
}

/// A few bits of a value, to decide by.
template <class T>
__device__ inline unsigned bits(T value) {
  return static_cast<unsigned>(value);
}
__device__ inline unsigned bits(float value) { return __float_as_uint(value) >> 12; }
__device__ inline unsigned bits(double value) {
  return static_cast<unsigned>(__double_as_longlong(value) >> 40);
}
__device__ inline unsigned bits(Triple value) { return value.a ^ value.c; }

__device__ inline long long clamp_to(long long i, long long n) {
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}
