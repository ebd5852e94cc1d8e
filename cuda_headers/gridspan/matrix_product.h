// D = A * B + C of fragments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes' elements meet in a function of the device library (src/device_library/warp_matrix.h)
// that multiplies whole matrices.
#pragma once

#include "matrix_fragment.h"

#define GRIDSPAN_WARP_FUNCTION(name) \
  extern "C" __device__ void __gridspan_warp_mma_##name(unsigned lanes, void* data);

/// For the types of D, A and C: the function's name and the struct that finds it.
#define GRIDSPAN_MATRIX_PRODUCT(M, N, K, D, A, C, name)    \
  GRIDSPAN_WARP_FUNCTION(name)                             \
  namespace nvcuda {                                       \
  namespace wmma {                                         \
  namespace details {                                      \
  template <>                                              \
  struct product<M, N, K, D, A, C> {                       \
    GRIDSPAN_MATRIX_FUNCTION static void run(void* data) { \
      ::__gridspan_warp_mma_##name(0xffffffffu, data);     \
    }                                                      \
  };                                                       \
  }                                                        \
  }                                                        \
  }

namespace nvcuda {
namespace wmma {
namespace details {

template <int m, int n, int k, typename D, typename A, typename C>
struct product {
  static_assert(sizeof(D*) == 0, "nvcuda::wmma has no product of fragments of these types");
};
/// The sum stays within the type's bounds.
template <typename A>
struct saturated;

template <int words>
struct warp_data {
  void* function;
  unsigned word[words];
};

}  // namespace details
}  // namespace wmma
}  // namespace nvcuda

#define GRIDSPAN_MATRIX_PRODUCTS(M, N, K)                                                      \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, __half, __half, __half, m##M##n##N##k##K##_f16_f16_f16_f16) \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, float, __half, float, m##M##n##N##k##K##_f32_f16_f16_f32)   \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, float, __half, __half, m##M##n##N##k##K##_f32_f16_f16_f16)  \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, __half, __half, float, m##M##n##N##k##K##_f16_f16_f16_f32)  \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, float, __nv_bfloat16, float,                                \
                          m##M##n##N##k##K##_f32_bf16_bf16_f32)                                \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, int, signed char, int, m##M##n##N##k##K##_s32_s8_s8_s32)    \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, int, unsigned char, int, m##M##n##N##k##K##_s32_u8_u8_s32)  \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, int, saturated<signed char>, int,                           \
                          m##M##n##N##k##K##_s32_s8_s8_s32_satfinite)                          \
  GRIDSPAN_MATRIX_PRODUCT(M, N, K, int, saturated<unsigned char>, int,                         \
                          m##M##n##N##k##K##_s32_u8_u8_s32_satfinite)
GRIDSPAN_MATRIX_PRODUCTS(16, 16, 16)
GRIDSPAN_MATRIX_PRODUCTS(32, 8, 16)
GRIDSPAN_MATRIX_PRODUCTS(8, 32, 16)
GRIDSPAN_MATRIX_PRODUCT(16, 16, 8, float, precision::tf32, float, m16n16k8_f32_tf32_tf32_f32)
GRIDSPAN_MATRIX_PRODUCT(8, 8, 4, double, double, double, m8n8k4_f64_f64_f64_f64)
GRIDSPAN_MATRIX_PRODUCT(8, 8, 32, int, experimental::precision::s4, int, m8n8k32_s32_s4_s4_s32)
GRIDSPAN_MATRIX_PRODUCT(8, 8, 32, int, experimental::precision::u4, int, m8n8k32_s32_u4_u4_s32)
GRIDSPAN_MATRIX_PRODUCT(8, 8, 32, int, saturated<experimental::precision::s4>, int,
                        m8n8k32_s32_s4_s4_s32_satfinite)
GRIDSPAN_MATRIX_PRODUCT(8, 8, 32, int, saturated<experimental::precision::u4>, int,
                        m8n8k32_s32_u4_u4_s32_satfinite)
GRIDSPAN_WARP_FUNCTION(m8n8k128_s32_b1_b1_s32_xor)
GRIDSPAN_WARP_FUNCTION(m8n8k128_s32_b1_b1_s32_and)
#undef GRIDSPAN_MATRIX_PRODUCTS
#undef GRIDSPAN_MATRIX_PRODUCT
#undef GRIDSPAN_WARP_FUNCTION

namespace nvcuda {
namespace wmma {
namespace details {

/// Copies A, B and C to where the library's function takes them, calls `run`, copies D from there.
template <typename A, int m, int n, int k, typename DFragment, typename AFragment,
          typename BFragment, typename CFragment, typename Run>
GRIDSPAN_MATRIX_FUNCTION void multiply(DFragment& d, const AFragment& a, const BFragment& b,
                                       const CFragment& c, Run run) {
  constexpr int a_bytes = share(m, k) * bits_of<A>::value / 8;
  constexpr int b_bytes = share(n, k) * bits_of<A>::value / 8;
  constexpr int d_bytes = sizeof d.x, c_bytes = sizeof c.x;
  constexpr int in_bytes = a_bytes + b_bytes + c_bytes;
  warp_data<(in_bytes > d_bytes ? in_bytes : d_bytes) / 4> data;
  char* const bytes = (char*)data.word;
  __builtin_memcpy(bytes, a.x, a_bytes);
  __builtin_memcpy(bytes + a_bytes, b.x, b_bytes);
  __builtin_memcpy(bytes + a_bytes + b_bytes, c.x, c_bytes);
  run(&data);
  __builtin_memcpy(d.x, bytes, d_bytes);
}

}  // namespace details

template <int m, int n, int k, typename T, typename ALayout, typename BLayout, typename D,
          typename C>
GRIDSPAN_MATRIX_FUNCTION void mma_sync(fragment<accumulator, m, n, k, D>& d,
                                       const fragment<matrix_a, m, n, k, T, ALayout>& a,
                                       const fragment<matrix_b, m, n, k, T, BLayout>& b,
                                       const fragment<accumulator, m, n, k, C>& c) {
  details::multiply<T, m, n, k>(d, a, b, c,
                                [](void* data) { details::product<m, n, k, D, T, C>::run(data); });
}

/// With `satf` sums that do not fit become the nearest number that does.
template <int m, int n, int k, typename T, typename ALayout, typename BLayout>
GRIDSPAN_MATRIX_FUNCTION void mma_sync(fragment<accumulator, m, n, k, int>& d,
                                       const fragment<matrix_a, m, n, k, T, ALayout>& a,
                                       const fragment<matrix_b, m, n, k, T, BLayout>& b,
                                       const fragment<accumulator, m, n, k, int>& c, bool satf) {
  if (!satf) return mma_sync(d, a, b, c);
  details::multiply<T, m, n, k>(d, a, b, c, [](void* data) {
    details::product<m, n, k, int, details::saturated<T>, int>::run(data);
  });
}

/// C + the number of bits set in A ^ B, or A & B.
GRIDSPAN_MATRIX_FUNCTION void bmma_sync(
    fragment<accumulator, 8, 8, 128, int>& d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
    const fragment<accumulator, 8, 8, 128, int>& c,
    experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  using b1 = experimental::precision::b1;
  if (operation == experimental::bmmaBitOpAND)
    details::multiply<b1, 8, 8, 128>(d, a, b, c, [](void* data) {
      ::__gridspan_warp_mma_m8n8k128_s32_b1_b1_s32_and(0xffffffffu, data);
    });
  else
    details::multiply<b1, 8, 8, 128>(d, a, b, c, [](void* data) {
      ::__gridspan_warp_mma_m8n8k128_s32_b1_b1_s32_xor(0xffffffffu, data);
    });
}

}  // namespace wmma
}  // namespace nvcuda
