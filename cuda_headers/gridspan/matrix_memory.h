// Fragments from memory and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lanes arrive before any reads or writes, and all have written before any goes on: programs
// leave out the __syncwarp that would say so.
#pragma once

#include "device_sync.h"
#include "matrix_fragment.h"

namespace nvcuda {
namespace wmma {
namespace details {

/// Several elements in a word: the words of a lane.
template <typename Storage>
GRIDSPAN_MATRIX_FUNCTION void load_packed(Storage* words, int count, const void* from, int bits,
                                          unsigned pitch, place first) {
  for (int i = 0; i < count; ++i) {
    const unsigned long long at = (unsigned long long)first.outer * pitch + first.inner;
    words[i] = ((const Storage*)from)[at * bits / 32];
  }
}

}  // namespace details

template <typename Fragment, typename Value>
GRIDSPAN_MATRIX_FUNCTION void fill_fragment(Fragment& to, const Value& value) {
  for (int i = 0; i < Fragment::num_storage_elements; ++i)
    to.x[i] = static_cast<typename Fragment::storage_element_type>(value);
}

/// `pitch`: elements from one row, or column, to the next.
template <int m, int n, int k, typename T, typename Layout, typename Memory>
GRIDSPAN_MATRIX_FUNCTION void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout>& to,
                                               const Memory* from, unsigned pitch) {
  __syncwarp();
  if constexpr (details::bits_of<T>::value < 8) {
    details::load_packed(to.x, to.num_storage_elements, from, details::bits_of<T>::value, pitch,
                         details::place_in_a<T, m, k>(0));
  } else {
    constexpr int own = details::share(m, k);
#pragma unroll
    for (int i = 0; i < to.num_elements; ++i) {
      const details::place at = details::place_in_a<T, m, k>(i % own);
      to.x[i] = from[details::is_row_major<Layout> ? at.outer * pitch + at.inner
                                                   : at.inner * pitch + at.outer];
    }
  }
}
template <int m, int n, int k, typename T, typename Layout, typename Memory>
GRIDSPAN_MATRIX_FUNCTION void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout>& to,
                                               const Memory* from, unsigned pitch) {
  __syncwarp();
  if constexpr (details::bits_of<T>::value < 8) {
    details::load_packed(to.x, to.num_storage_elements, from, details::bits_of<T>::value, pitch,
                         details::place_in_b<T, n, k>(0));
  } else {
    constexpr int own = details::share(n, k);
#pragma unroll
    for (int i = 0; i < to.num_elements; ++i) {
      const details::place at = details::place_in_b<T, n, k>(i % own);
      to.x[i] = from[details::is_row_major<Layout> ? at.inner * pitch + at.outer
                                                   : at.outer * pitch + at.inner];
    }
  }
}
template <int m, int n, int k, typename T>
GRIDSPAN_MATRIX_FUNCTION void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from,
                                               unsigned pitch, layout_t layout) {
  __syncwarp();
#pragma unroll
  for (int i = 0; i < to.num_elements; ++i) {
    const details::place at = details::place_in_sum<m, n>(i);
    to.x[i] =
        from[layout == mem_row_major ? at.outer * pitch + at.inner : at.inner * pitch + at.outer];
  }
}

template <int m, int n, int k, typename T>
GRIDSPAN_MATRIX_FUNCTION void store_matrix_sync(T* to,
                                                const fragment<accumulator, m, n, k, T>& from,
                                                unsigned pitch, layout_t layout) {
  __syncwarp();
#pragma unroll
  for (int i = 0; i < from.num_elements; ++i) {
    const details::place at = details::place_in_sum<m, n>(i);
    to[layout == mem_row_major ? at.outer * pitch + at.inner : at.inner * pitch + at.outer] =
        from.x[i];
  }
  __syncwarp();
}

/// Rounded to the 11 significant bits of tf32, ties away from zero.
GRIDSPAN_MATRIX_FUNCTION float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

}  // namespace wmma
}  // namespace nvcuda
