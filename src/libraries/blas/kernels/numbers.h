// Arithmetic of the element types of cuBLAS, the same for real and complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace gridspan::libraries::blas {

template <typename T>
__host__ __device__ inline bool is_zero(T x) {
  return x == T(0);
}
__host__ __device__ inline bool is_zero(cuComplex x) { return x.x == 0 && x.y == 0; }
__host__ __device__ inline bool is_zero(cuDoubleComplex x) { return x.x == 0 && x.y == 0; }

template <typename T>
__host__ __device__ inline bool is_one(T x) {
  return x == T(1);
}
__host__ __device__ inline bool is_one(cuComplex x) { return x.x == 1 && x.y == 0; }
__host__ __device__ inline bool is_one(cuDoubleComplex x) { return x.x == 1 && x.y == 0; }

template <typename T>
__host__ __device__ inline T zero() {
  return T(0);
}
template <>
__host__ __device__ inline cuComplex zero() {
  return make_cuComplex(0, 0);
}
template <>
__host__ __device__ inline cuDoubleComplex zero() {
  return make_cuDoubleComplex(0, 0);
}

template <typename T>
__host__ __device__ inline T one() {
  return T(1);
}
template <>
__host__ __device__ inline cuComplex one() {
  return make_cuComplex(1, 0);
}
template <>
__host__ __device__ inline cuDoubleComplex one() {
  return make_cuDoubleComplex(1, 0);
}

template <typename T>
__device__ inline T product(T a, T b) {
  return a * b;
}
__device__ inline cuComplex product(cuComplex a, cuComplex b) { return cuCmulf(a, b); }
__device__ inline cuDoubleComplex product(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCmul(a, b);
}

template <typename T>
__device__ inline T total(T a, T b) {
  return a + b;
}
__device__ inline cuComplex total(cuComplex a, cuComplex b) { return cuCaddf(a, b); }
__device__ inline cuDoubleComplex total(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCadd(a, b);
}

/// sum + a b
template <typename T>
__device__ inline T added(T sum, T a, T b) {
  return sum + a * b;
}
__device__ inline cuComplex added(cuComplex sum, cuComplex a, cuComplex b) {
  return make_cuComplex(sum.x + a.x * b.x - a.y * b.y, sum.y + a.x * b.y + a.y * b.x);
}
__device__ inline cuDoubleComplex added(cuDoubleComplex sum, cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(sum.x + a.x * b.x - a.y * b.y, sum.y + a.x * b.y + a.y * b.x);
}

template <typename T>
__device__ inline T conjugate(T x, bool) {
  return x;
}
__device__ inline cuComplex conjugate(cuComplex x, bool conjugates) {
  return conjugates ? cuConjf(x) : x;
}
__device__ inline cuDoubleComplex conjugate(cuDoubleComplex x, bool conjugates) {
  return conjugates ? cuConj(x) : x;
}

/// From one element type to another.
template <typename To, typename From>
struct Conversion {
  __host__ __device__ static To of(From x) { return static_cast<To>(x); }
};
template <typename T>
struct Conversion<T, T> {
  __host__ __device__ static T of(T x) { return x; }
};
template <>
struct Conversion<float, __half> {
  __host__ __device__ static float of(__half x) { return __half2float(x); }
};
template <>
struct Conversion<__half, float> {
  __host__ __device__ static __half of(float x) { return __float2half(x); }
};
template <>
struct Conversion<float, __nv_bfloat16> {
  __host__ __device__ static float of(__nv_bfloat16 x) { return __bfloat162float(x); }
};
template <>
struct Conversion<__nv_bfloat16, float> {
  __host__ __device__ static __nv_bfloat16 of(float x) { return __float2bfloat16(x); }
};

/// What numbers are summed and turned in: those of 16 bits in float.
template <typename T>
struct WideType {
  using type = T;
};
template <>
struct WideType<__half> {
  using type = float;
};
template <>
struct WideType<__nv_bfloat16> {
  using type = float;
};
template <typename T>
using Wide = typename WideType<T>::type;

}  // namespace gridspan::libraries::blas
