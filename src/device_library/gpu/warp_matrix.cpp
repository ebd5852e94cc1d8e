// Products of fragments of nvcuda::wmma (cuda_headers/gridspan/matrix_product.h), for sm_80 and
// later. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of fragments lie in the lanes as mma.sync has them (docs/matrices.md), so a product is
// one such instruction for each 16 x 8 elements of the sum. Fragments of 8 rows are the upper half
// of one whose lower half is 0.
#include "gpu.h"

namespace {

#define HELPER static inline __attribute__((always_inline))
using Word = unsigned;

/// What lanes bring: a word for the CPU's run time, then A, B and C; D comes in their place.
HELPER Word* words_of(void* data) { return static_cast<Word*>(data) + 2; }

// A lane's words of an 8 x 8 tile of sums, and from and to those that instructions take.
struct f32 {
  static constexpr int words = 2;
};
struct s32 {
  static constexpr int words = 2;
};
struct f16 {
  static constexpr int words = 1;
};
using Halves = _Float16 __attribute__((ext_vector_type(2)));

template <class From, class To>
HELPER void convert(const Word* from, Word* to) {
  if constexpr (From::words == To::words) {
    for (int i = 0; i < To::words; ++i) to[i] = from[i];
  } else if constexpr (To::words == 2) {
    const auto halves = __builtin_bit_cast(Halves, *from);
    to[0] = __builtin_bit_cast(Word, static_cast<float>(halves.x));
    to[1] = __builtin_bit_cast(Word, static_cast<float>(halves.y));
  } else {
    const Halves halves = {static_cast<_Float16>(__builtin_bit_cast(float, from[0])),
                           static_cast<_Float16>(__builtin_bit_cast(float, from[1]))};
    *to = __builtin_bit_cast(Word, halves);
  }
}

/// Instructions, by the words that a lane has of 16 rows of A, of 8 columns of B, and of sums.
#define FACTORS_4_2(name, text, sums)                                              \
  struct name {                                                                    \
    using Sum = sums;                                                              \
    static constexpr int a_words = 4, b_words = 2;                                 \
    HELPER void run(Word* c, const Word* a, const Word* b) {                       \
      __asm__("mma.sync.aligned." text                                             \
              " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "           \
              "%2, %3};"                                                           \
              : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                     \
              : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
    }                                                                              \
  };
#define FACTORS_2_1(name, text)                                                               \
  struct name {                                                                               \
    using Sum = s32;                                                                          \
    static constexpr int a_words = 2, b_words = 1;                                            \
    HELPER void run(Word* c, const Word* a, const Word* b) {                                  \
      __asm__("mma.sync.aligned." text " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" \
              : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                                \
              : "r"(a[0]), "r"(a[1]), "r"(b[0]));                                             \
    }                                                                                         \
  };
FACTORS_4_2(HalfReal, "m16n8k16.row.col.f32.f16.f16.f32", f32)
FACTORS_4_2(BfloatReal, "m16n8k16.row.col.f32.bf16.bf16.f32", f32)
FACTORS_4_2(Tf32Real, "m16n8k8.row.col.f32.tf32.tf32.f32", f32)
FACTORS_2_1(Signed, "m16n8k16.row.col.s32.s8.s8.s32")
FACTORS_2_1(Unsigned, "m16n8k16.row.col.s32.u8.u8.s32")
FACTORS_2_1(SignedSaturated, "m16n8k16.row.col.satfinite.s32.s8.s8.s32")
FACTORS_2_1(UnsignedSaturated, "m16n8k16.row.col.satfinite.s32.u8.u8.s32")
struct HalfHalf {
  using Sum = f16;
  static constexpr int a_words = 4, b_words = 2;
  HELPER void run(Word* c, const Word* a, const Word* b) {
    __asm__(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
        "{%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

/// D = A * B + C of m x n sums.
template <int m, int n, class Product, class C, class D>
HELPER void multiply(void* data) {
  using Sum = typename Product::Sum;
  constexpr int halves = m < 16 ? 1 : 2;  // 8-row halves that a tile has
  constexpr int rows = m < 16 ? 1 : m / 16, columns = n / 8;
  constexpr int a_words = Product::a_words / 2 * halves, b_words = Product::b_words;
  Word a[rows][Product::a_words], sum[rows][columns][2 * Sum::words];
  Word* const words = words_of(data);
  const Word* const b = words + rows * a_words;
  const Word* const c = b + columns * b_words;
#pragma unroll
  for (int row = 0; row < rows; ++row) {
#pragma unroll
    for (int i = 0; i < Product::a_words; ++i)
      a[row][i] = i % 2 < halves ? words[row * a_words + i / (3 - halves)] : 0;
#pragma unroll
    for (int column = 0; column < columns; ++column) {
      const Word* tile = c + (row * columns + column) * halves * C::words;
      Word* const to = sum[row][column];
#pragma unroll
      for (int i = 0; i < 2 * Sum::words; ++i) to[i] = 0;
#pragma unroll
      for (int half = 0; half < halves; ++half)
        convert<C, Sum>(tile + half * C::words, to + half * Sum::words);
      Product::run(to, a[row], b + column * b_words);
    }
  }
#pragma unroll
  for (int tile = 0; tile < rows * columns; ++tile)
#pragma unroll
    for (int half = 0; half < halves; ++half)
      convert<Sum, D>(sum[tile / columns][tile % columns] + half * Sum::words,
                      words + (tile * halves + half) * D::words);
}

}  // namespace

#define FUNCTION(name) DEVICE_INLINE void __gridspan_warp_mma_##name(Word, void* data)
#define PRODUCT(M, N, K, name, factors, C, D) \
  FUNCTION(m##M##n##N##k##K##_##name) { multiply<M, N, factors, C, D>(data); }
#define PRODUCTS(M, N)                                                  \
  PRODUCT(M, N, 16, f16_f16_f16_f16, HalfHalf, f16, f16)                \
  PRODUCT(M, N, 16, f32_f16_f16_f32, HalfReal, f32, f32)                \
  PRODUCT(M, N, 16, f32_f16_f16_f16, HalfReal, f16, f32)                \
  PRODUCT(M, N, 16, f16_f16_f16_f32, HalfReal, f32, f16)                \
  PRODUCT(M, N, 16, f32_bf16_bf16_f32, BfloatReal, f32, f32)            \
  PRODUCT(M, N, 16, s32_s8_s8_s32, Signed, s32, s32)                    \
  PRODUCT(M, N, 16, s32_u8_u8_s32, Unsigned, s32, s32)                  \
  PRODUCT(M, N, 16, s32_s8_s8_s32_satfinite, SignedSaturated, s32, s32) \
  PRODUCT(M, N, 16, s32_u8_u8_s32_satfinite, UnsignedSaturated, s32, s32)
PRODUCTS(16, 16)
PRODUCTS(32, 8)
PRODUCTS(8, 32)
PRODUCT(16, 16, 8, f32_tf32_tf32_f32, Tf32Real, f32, f32)

FUNCTION(m8n8k4_f64_f64_f64_f64) {
  auto* const x = reinterpret_cast<double*>(words_of(data));
  double d[2];
  __asm__("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
          : "=d"(d[0]), "=d"(d[1])
          : "d"(x[0]), "d"(x[1]), "d"(x[2]), "d"(x[3]));
  x[0] = d[0];
  x[1] = d[1];
}

// 8 x 8 sums of integers, one word of each factor.
#define SMALL(name, text)                                               \
  FUNCTION(name) {                                                      \
    Word* const x = words_of(data);                                     \
    Word d[2];                                                          \
    __asm__("mma.sync.aligned." text " {%0, %1}, {%2}, {%3}, {%4, %5};" \
            : "=r"(d[0]), "=r"(d[1])                                    \
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]));              \
    x[0] = d[0];                                                        \
    x[1] = d[1];                                                        \
  }
SMALL(m8n8k32_s32_s4_s4_s32, "m8n8k32.row.col.s32.s4.s4.s32")
SMALL(m8n8k32_s32_u4_u4_s32, "m8n8k32.row.col.s32.u4.u4.s32")
SMALL(m8n8k32_s32_s4_s4_s32_satfinite, "m8n8k32.row.col.satfinite.s32.s4.s4.s32")
SMALL(m8n8k32_s32_u4_u4_s32_satfinite, "m8n8k32.row.col.satfinite.s32.u4.u4.s32")
SMALL(m8n8k128_s32_b1_b1_s32_xor, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
SMALL(m8n8k128_s32_b1_b1_s32_and, "m8n8k128.row.col.s32.b1.b1.s32.and.popc")
