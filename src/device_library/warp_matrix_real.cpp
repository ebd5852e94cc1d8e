// Products of matrices of floating-point numbers by the lanes of a warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warp_matrix.h"

namespace {

using namespace gridspan::device_library;
using namespace gridspan::device_library::matrix;
using e4m3_t = f8<e4m3>;
using e5m2_t = f8<e5m2>;

template <int m, int n, int k>
HELPER void add_products(const float (&a)[m][k], const float (&b)[k][n], float (&sums)[m][n]) {
#pragma clang fp contract(fast)  // a product of two of these numbers is exact
  for (int i = 0; i < m; ++i)
    for (int at = 0; at < k; ++at)
      for (int j = 0; j < n; ++j) sums[i][j] += a[i][at] * b[at][j];
}

template <int m, int n, int k>
HELPER void add_products(const double (&a)[m][k], const double (&b)[k][n], double (&sums)[m][n]) {
  for (int i = 0; i < m; ++i)
    for (int at = 0; at < k; ++at)
      for (int j = 0; j < n; ++j) sums[i][j] = __builtin_fma(a[i][at], b[at][j], sums[i][j]);
}

template <int m, int n, int k, class D, class A, class B, class C>
HELPER void product(void* const* lanes) {
  multiply<m, n, k, D, A, B, C>(
      lanes, [](const auto& a, const auto& b, auto& sums) { add_products<m, n, k>(a, b, sums); });
}

}  // namespace

#define PRODUCT(M, N, K, D, A, B, C)                                                  \
  DEVICE_FUNCTION void __gridspan_lanes_mma_m##M##n##N##k##K##_##D##_##A##_##B##_##C( \
      void* const* lanes) {                                                           \
    product<M, N, K, D, A, B, C>(lanes);                                              \
  }
#define HALF_PRODUCTS(M, N, K)         \
  PRODUCT(M, N, K, f16, f16, f16, f16) \
  PRODUCT(M, N, K, f32, f16, f16, f32)

// mma.sync
HALF_PRODUCTS(16, 8, 8)
HALF_PRODUCTS(16, 8, 16)
PRODUCT(16, 8, 8, f32, bf16, bf16, f32)
PRODUCT(16, 8, 16, f32, bf16, bf16, f32)
PRODUCT(16, 8, 4, f32, tf32, tf32, f32)
PRODUCT(16, 8, 8, f32, tf32, tf32, f32)
PRODUCT(8, 8, 4, f64, f64, f64, f64)
PRODUCT(16, 8, 4, f64, f64, f64, f64)
PRODUCT(16, 8, 8, f64, f64, f64, f64)
PRODUCT(16, 8, 16, f64, f64, f64, f64)

#define BYTE_PRODUCT(A, B)                                                                     \
  DEVICE_FUNCTION void __gridspan_lanes_mma_m16n8k32_f32_##A##_##B##_f32(void* const* lanes) { \
    product<16, 8, 32, f32, A##_t, B##_t, f32>(lanes);                                         \
  }
BYTE_PRODUCT(e4m3, e4m3)
BYTE_PRODUCT(e4m3, e5m2)
BYTE_PRODUCT(e5m2, e4m3)
BYTE_PRODUCT(e5m2, e5m2)

// nvcuda::wmma
#define FRAGMENT_PRODUCTS(M, N, K)     \
  HALF_PRODUCTS(M, N, K)               \
  PRODUCT(M, N, K, f32, f16, f16, f16) \
  PRODUCT(M, N, K, f16, f16, f16, f32) \
  PRODUCT(M, N, K, f32, bf16, bf16, f32)
FRAGMENT_PRODUCTS(16, 16, 16)
FRAGMENT_PRODUCTS(32, 8, 16)
FRAGMENT_PRODUCTS(8, 32, 16)
PRODUCT(16, 16, 8, f32, tf32, tf32, f32)
