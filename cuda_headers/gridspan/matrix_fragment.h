// Fragments: which shapes and types there are, how many elements a lane has, and which ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements lie in the lanes as PTX documents for mma.sync; src/device_library/warp_matrix.h, which
// multiplies, has the same rules.
#pragma once

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"

#define GRIDSPAN_MATRIX_FUNCTION \
  __inline__ __attribute__((always_inline, unused, __nodebug__)) __device__

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

template <typename T>
struct helper_traits {
  typedef T element_type;
  typedef T storage_element_type;
  typedef T fill_argument_type;
};
template <>
struct helper_traits<precision::tf32> {
  typedef precision::tf32 element_type;
  typedef float storage_element_type;
  typedef float fill_argument_type;
};
#define GRIDSPAN_PACKED_TRAITS(type, argument)          \
  template <>                                           \
  struct helper_traits<experimental::precision::type> { \
    typedef experimental::precision::type element_type; \
    typedef argument storage_element_type;              \
    typedef argument fill_argument_type;                \
  };
GRIDSPAN_PACKED_TRAITS(u4, unsigned)
GRIDSPAN_PACKED_TRAITS(s4, int)
GRIDSPAN_PACKED_TRAITS(b1, unsigned)
#undef GRIDSPAN_PACKED_TRAITS

template <typename T, int size, int packed_size = size>
struct __align__(8) __frag_base {
  enum { num_elements = size };
  enum { num_storage_elements = packed_size };
  typedef T element_type;
  typedef typename helper_traits<T>::storage_element_type storage_element_type;
  storage_element_type x[num_storage_elements];
};

namespace details {

constexpr int warp_lanes = 32;

template <typename T>
struct bits_of {
  static constexpr int value = 8 * sizeof(T);
};
template <>
struct bits_of<precision::tf32> {
  static constexpr int value = 32;
};
template <>
struct bits_of<experimental::precision::u4> {
  static constexpr int value = 4;
};
template <>
struct bits_of<experimental::precision::s4> {
  static constexpr int value = 4;
};
template <>
struct bits_of<experimental::precision::b1> {
  static constexpr int value = 1;
};

// The products there are: for a factor's type the shapes, for a sum's type those of all factors.
template <int m, int n, int k>
constexpr bool is_large = (m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) ||
                          (m == 8 && n == 32 && k == 16);
template <typename T, int m, int n, int k>
constexpr bool is_factor = false;
template <int m, int n, int k>
constexpr bool is_factor<__half, m, n, k> = is_large<m, n, k>;
template <int m, int n, int k>
constexpr bool is_factor<__nv_bfloat16, m, n, k> = is_large<m, n, k>;
template <int m, int n, int k>
constexpr bool is_factor<signed char, m, n, k> = is_large<m, n, k>;
template <int m, int n, int k>
constexpr bool is_factor<unsigned char, m, n, k> = is_large<m, n, k>;
template <>
constexpr bool is_factor<precision::tf32, 16, 16, 8> = true;
template <>
constexpr bool is_factor<double, 8, 8, 4> = true;
template <>
constexpr bool is_factor<experimental::precision::u4, 8, 8, 32> = true;
template <>
constexpr bool is_factor<experimental::precision::s4, 8, 8, 32> = true;
template <>
constexpr bool is_factor<experimental::precision::b1, 8, 8, 128> = true;

template <typename T, int m, int n, int k>
constexpr bool is_sum = false;
template <int m, int n, int k>
constexpr bool is_sum<__half, m, n, k> = is_large<m, n, k>;
template <int m, int n, int k>
constexpr bool is_sum<float, m, n, k> = is_large<m, n, k> || (m == 16 && n == 16 && k == 8);
template <int m, int n, int k>
constexpr bool is_sum<int, m, n, k> =
    is_large<m, n, k> || (m == 8 && n == 8 && (k == 32 || k == 128));
template <>
constexpr bool is_sum<double, 8, 8, 4> = true;

/// Elements of a lane that are different ones.
constexpr int share(int rows, int columns) { return rows * columns / warp_lanes; }
/// Factors of half precision have 16 elements in every shape, some of them several times.
template <typename T>
constexpr int factor_elements(int own) {
  return own;
}
template <>
constexpr int factor_elements<__half>(int) {
  return 16;
}
template <typename T>
constexpr int storage_elements(int elements) {
  return bits_of<T>::value < 8 ? elements * bits_of<T>::value / 32 : elements;
}

struct place {
  int outer, inner;  // row and k of A, column and k of B, row and column of a sum
};

GRIDSPAN_MATRIX_FUNCTION int lane() { return __nvvm_read_ptx_sreg_laneid(); }

template <typename T, int rows, int k>
GRIDSPAN_MATRIX_FUNCTION place place_in_a(int index) {
  constexpr int per_word = bits_of<T>::value < 32 ? 32 / bits_of<T>::value : 1;
  constexpr int per_tile = share(rows < 16 ? 8 : 16, k);
  const int word = index % per_tile / per_word;
  const int row = rows < 16 ? 0 : 16 * (index / per_tile) + 8 * (word % 2);
  const int step = rows < 16 ? word : word / 2;
  return {row + lane() / 4, (4 * step + lane() % 4) * per_word + index % per_word};
}
template <typename T, int columns, int k>
GRIDSPAN_MATRIX_FUNCTION place place_in_b(int index) {
  constexpr int per_word = bits_of<T>::value < 32 ? 32 / bits_of<T>::value : 1;
  constexpr int per_tile = share(8, k);
  const int word = index % per_tile / per_word;
  return {8 * (index / per_tile) + lane() / 4,
          (4 * word + lane() % 4) * per_word + index % per_word};
}
template <int rows, int columns>
GRIDSPAN_MATRIX_FUNCTION place place_in_sum(int index) {
  const int column = lane() % 4 * 2 + index % 2;
  if (rows < 16) return {lane() / 4, 8 * (index / 2) + column};
  const int tile = index / 4;
  return {16 * (tile / (columns / 8)) + lane() / 4 + 8 * (index / 2 % 2),
          8 * (tile % (columns / 8)) + column};
}

template <typename Layout>
constexpr bool is_row_major = false;
template <>
constexpr bool is_row_major<row_major> = true;

}  // namespace details

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment {
  static_assert(sizeof(Use*) == 0, "nvcuda::wmma has no such fragment");
};

template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_a, m, n, k, T, Layout>
    : public __frag_base<T, details::factor_elements<T>(details::share(m, k)),
                         details::storage_elements<T>(
                             details::factor_elements<T>(details::share(m, k)))> {
  static_assert(details::is_factor<T, m, n, k>,
                "nvcuda::wmma has no matrix_a of this shape and type");
  static_assert(details::bits_of<T>::value >= 8 || details::is_row_major<Layout>,
                "matrix_a of less than a byte an element is row_major");
};
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_b, m, n, k, T, Layout>
    : public __frag_base<T, details::factor_elements<T>(details::share(n, k)),
                         details::storage_elements<T>(
                             details::factor_elements<T>(details::share(n, k)))> {
  static_assert(details::is_factor<T, m, n, k>,
                "nvcuda::wmma has no matrix_b of this shape and type");
  static_assert(details::bits_of<T>::value >= 8 || !details::is_row_major<Layout>,
                "matrix_b of less than a byte an element is col_major");
};
template <int m, int n, int k, typename T>
class fragment<accumulator, m, n, k, T, void> : public __frag_base<T, details::share(m, n)> {
  static_assert(details::is_sum<T, m, n, k>,
                "nvcuda::wmma has no accumulator of this shape and type");
};

}  // namespace wmma
}  // namespace nvcuda
