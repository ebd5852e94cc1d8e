// Products of matrices of small integers and of bits by the lanes of a warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warp_matrix.h"

namespace {

using namespace gridspan::device_library;
using namespace gridspan::device_library::matrix;
using s8 = integer<8, true>;
using u8 = integer<8, false>;
using s4 = integer<4, true>;
using u4 = integer<4, false>;
using b1 = integer<1, false>;

/// Sums wrap around.
template <int m, int n, int k, class A, class B>
HELPER void product(void* const* lanes) {
  multiply<m, n, k, s32, A, B, s32>(lanes, [](const auto& a, const auto& b, auto& sums) {
    for (int i = 0; i < m; ++i)
      for (int at = 0; at < k; ++at)
        for (int j = 0; j < n; ++j)
          sums[i][j] = static_cast<int>(static_cast<unsigned>(sums[i][j]) +
                                        static_cast<unsigned>(a[i][at] * b[at][j]));
  });
}

/// A sum that does not fit becomes the nearest number that does.
template <int m, int n, int k, class A, class B>
HELPER void saturated_product(void* const* lanes) {
  multiply<m, n, k, s32, A, B, s32>(lanes, [](const auto& a, const auto& b, auto& sums) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        long long sum = sums[i][j];
        for (int at = 0; at < k; ++at) sum += a[i][at] * b[at][j];
        const long long least = -0x80000000LL, most = 0x7fffffffLL;
        sums[i][j] = static_cast<int>(sum < least ? least : sum > most ? most : sum);
      }
  });
}

template <int m, int k, class Combine>
HELPER void count_bits(void* const* lanes, Combine combine) {
  multiply<m, 8, k, s32, b1, b1, s32>(lanes, [&](const auto& a, const auto& b, auto& sums) {
    for (int i = 0; i < m; ++i)
      for (int at = 0; at < k; ++at)
        for (int j = 0; j < 8; ++j)
          sums[i][j] = static_cast<int>(static_cast<unsigned>(sums[i][j]) +
                                        static_cast<unsigned>(combine(a[i][at], b[at][j])));
  });
}

}  // namespace

#define PRODUCT(M, N, K, A, B)                                                                \
  DEVICE_FUNCTION void __gridspan_lanes_mma_m##M##n##N##k##K##_s32_##A##_##B##_s32(           \
      void* const* lanes) {                                                                   \
    product<M, N, K, A, B>(lanes);                                                            \
  }                                                                                           \
  DEVICE_FUNCTION void __gridspan_lanes_mma_m##M##n##N##k##K##_s32_##A##_##B##_s32_satfinite( \
      void* const* lanes) {                                                                   \
    saturated_product<M, N, K, A, B>(lanes);                                                  \
  }
#define PRODUCTS(M, N, K, S, U) \
  PRODUCT(M, N, K, S, S)        \
  PRODUCT(M, N, K, S, U)        \
  PRODUCT(M, N, K, U, S)        \
  PRODUCT(M, N, K, U, U)

// mma.sync
PRODUCTS(8, 8, 16, s8, u8)
PRODUCTS(16, 8, 16, s8, u8)
PRODUCTS(16, 8, 32, s8, u8)
PRODUCTS(8, 8, 32, s4, u4)  // wmma's, too
PRODUCTS(16, 8, 32, s4, u4)
PRODUCTS(16, 8, 64, s4, u4)

// nvcuda::wmma
#define FRAGMENT_PRODUCTS(M, N, K) \
  PRODUCT(M, N, K, s8, s8)         \
  PRODUCT(M, N, K, u8, u8)
FRAGMENT_PRODUCTS(16, 16, 16)
FRAGMENT_PRODUCTS(32, 8, 16)
FRAGMENT_PRODUCTS(8, 32, 16)

#define BIT_COUNTS(M, K)                                                                           \
  DEVICE_FUNCTION void __gridspan_lanes_mma_m##M##n8k##K##_s32_b1_b1_s32_xor(void* const* lanes) { \
    count_bits<M, K>(lanes, [](int a, int b) { return a ^ b; });                                   \
  }                                                                                                \
  DEVICE_FUNCTION void __gridspan_lanes_mma_m##M##n8k##K##_s32_b1_b1_s32_and(void* const* lanes) { \
    count_bits<M, K>(lanes, [](int a, int b) { return a & b; });                                   \
  }
BIT_COUNTS(8, 128)  // wmma's, too
BIT_COUNTS(16, 128)
BIT_COUNTS(16, 256)
