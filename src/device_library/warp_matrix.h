// Products of small matrices whose elements are spread over the lanes of a warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lane's data: the address that abi::WarpCall holds, then 32-bit words: its elements of A, of B,
// of C. The product's elements come in the same place, from the first word on. Elements lie in the
// lanes as PTX documents for mma.sync (docs/matrices.md): with group = lane / 4, place = lane % 4
// and p elements in one register,
//
//     A  row group + 8 (r % 2) of each 16 rows,  k = 4 p (r / 2) + p place + element
//     B  column group of each 8 columns,         k = 4 p r       + p place + element
//     C  row group + 8 (r / 2), column 2 place + r % 2 of each 16 x 8 elements
//
// where r counts a lane's registers. Matrices of 8 rows have the rows 0 to 7 only.
#pragma once

#include "small_numbers.h"

namespace gridspan::device_library::matrix {

constexpr int warp_size = 32;

/// What lane `lane` brought; `absent` for lanes that are not there.
inline unsigned* words_of(void* const* lanes, int lane, unsigned* absent) {
  return lanes[lane] ? reinterpret_cast<unsigned*>(static_cast<char*>(lanes[lane]) + sizeof(void*))
                     : absent;
}

// --- element types: how many bits they have, how to widen them -----------------------------------

/// Exact; the compiler makes vectors of it.
HELPER float half_value(unsigned bits) {
  const unsigned magnitude = bits & 0x7fff;
  const unsigned scaled = bits_as<unsigned>(bits_as<float>(magnitude << 13) * 0x1p112F);
  return bits_as<float>((magnitude > 0x7bff ? scaled | 0x7f800000 : scaled) | (bits & 0x8000)
                                                                                  << 16);
}

struct f16 {
  using Number = float;
  static constexpr int bits = 16;
  HELPER float value(unsigned raw) { return half_value(raw); }
  HELPER unsigned raw(float value) {
    return narrowed<binary16>(value, SmallRounding::nearest, false);
  }
};
struct bf16 {
  using Number = float;
  static constexpr int bits = 16;
  HELPER float value(unsigned raw) { return bits_as<float>(raw << 16); }
};
/// The lower 13 bits are not looked at, as on a GPU.
struct tf32 {
  using Number = float;
  static constexpr int bits = 32;
  HELPER float value(unsigned raw) { return bits_as<float>(raw & 0xffffe000); }
};
template <SmallFormat format>
struct f8 {
  using Number = float;
  static constexpr int bits = 8;
  HELPER float value(unsigned raw) { return static_cast<float>(widened<format>(raw)); }
};
struct f32 {
  using Number = float;
  static constexpr int bits = 32;
  HELPER float value(unsigned raw) { return bits_as<float>(raw); }
  HELPER unsigned raw(float value) { return bits_as<unsigned>(value); }
};
struct f64 {
  using Number = double;
  static constexpr int bits = 64;
  HELPER double value(std::uint64_t raw) { return bits_as<double>(raw); }
  HELPER std::uint64_t raw(double value) { return bits_as<std::uint64_t>(value); }
};
template <int width, bool is_signed>
struct integer {
  using Number = int;
  static constexpr int bits = width;
  HELPER int value(unsigned raw) {
    if (!is_signed) return static_cast<int>(raw);
    return static_cast<int>(raw << (32 - width)) >> (32 - width);
  }
};
struct s32 {
  using Number = int;
  static constexpr int bits = 32;
  HELPER int value(unsigned raw) { return static_cast<int>(raw); }
  HELPER unsigned raw(int value) { return static_cast<unsigned>(value); }
};

/// Element `index` of a lane's registers, as its bits.
template <class Type>
HELPER auto element(const unsigned* words, int index) {
  if constexpr (Type::bits == 64) {
    return static_cast<std::uint64_t>(words[2 * index]) |
           static_cast<std::uint64_t>(words[2 * index + 1]) << 32;
  } else {
    constexpr int per_word = 32 / Type::bits;
    constexpr unsigned mask = ~0u >> (32 - Type::bits);
    return words[index / per_word] >> Type::bits * (index % per_word) & mask;
  }
}

template <class Type, class Raw>
HELPER void set_element(unsigned* words, int index, Raw raw) {
  if constexpr (Type::bits == 64) {
    words[2 * index] = static_cast<unsigned>(raw);
    words[2 * index + 1] = static_cast<unsigned>(raw >> 32);
  } else if constexpr (Type::bits == 32) {
    words[index] = raw;
  } else {
    auto* halves = reinterpret_cast<unsigned short*>(words);
    halves[index] = static_cast<unsigned short>(raw);
  }
}

// --- where elements lie --------------------------------------------------------------------------

struct Place {
  int outer, inner;  // row and k of A, column and k of B, row and column of C
};

/// `rows` of 16 or a multiple, or 8.
template <class Type, int rows, int k>
HELPER Place place_in_a(int lane, int index) {
  constexpr int per_word = Type::bits < 32 ? 32 / Type::bits : 1;
  constexpr int tile = rows < 16 ? 8 : 16, per_tile = tile * k / warp_size;
  const int r = index % per_tile / per_word;
  const int row = rows < 16 ? 0 : 16 * (index / per_tile) + 8 * (r % 2);
  const int step = rows < 16 ? r : r / 2;
  return {row + lane / 4, (4 * step + lane % 4) * per_word + index % per_word};
}

template <class Type, int columns, int k>
HELPER Place place_in_b(int lane, int index) {
  constexpr int per_word = Type::bits < 32 ? 32 / Type::bits : 1;
  constexpr int per_tile = 8 * k / warp_size;
  const int r = index % per_tile / per_word;
  return {8 * (index / per_tile) + lane / 4, (4 * r + lane % 4) * per_word + index % per_word};
}

template <int rows, int columns>
HELPER Place place_in_c(int lane, int index) {
  const int column = lane % 4 * 2 + index % 2;
  if constexpr (rows < 16) return {lane / 4, 8 * (index / 2) + column};
  constexpr int tiles_across = columns / 8;
  const int tile = index / 4;
  return {16 * (tile / tiles_across) + lane / 4 + 8 * (index / 2 % 2),
          8 * (tile % tiles_across) + column};
}

// --- the product ---------------------------------------------------------------------------------

/// D = A * B + C. Products are exact; each sum starts with C's element and runs in the order of k,
/// rounded to the accumulator's precision (float for half) at each step, once more where D is
/// narrower.
template <int m, int n, int k, class D, class A, class B, class C, class Step>
HELPER void multiply(void* const* lanes, Step step) {
  using Number = typename D::Number;
  constexpr int a_elements = m * k / warp_size, b_elements = k * n / warp_size;
  constexpr int c_elements = m * n / warp_size;
  constexpr int a_words = a_elements * A::bits / 32, b_words = b_elements * B::bits / 32;
  constexpr int c_words = c_elements * C::bits / 32, d_words = c_elements * D::bits / 32;
  constexpr int c_start = a_words + b_words;
  Number a[m][k], b[k][n], sums[m][n];
  unsigned absent[c_start + (c_words > d_words ? c_words : d_words)] = {};
  for (int lane = 0; lane < warp_size; ++lane) {
    const unsigned* words = words_of(lanes, lane, absent);
    for (int i = 0; i < a_elements; ++i) {
      const Place at = place_in_a<A, m, k>(lane, i);
      a[at.outer][at.inner] = A::value(element<A>(words, i));
    }
    for (int i = 0; i < b_elements; ++i) {
      const Place at = place_in_b<B, n, k>(lane, i);
      b[at.inner][at.outer] = B::value(element<B>(words + a_words, i));
    }
    for (int i = 0; i < c_elements; ++i) {
      const Place at = place_in_c<m, n>(lane, i);
      sums[at.outer][at.inner] = C::value(element<C>(words + c_start, i));
    }
  }
  step(a, b, sums);
  for (int lane = 0; lane < warp_size; ++lane) {
    unsigned* words = words_of(lanes, lane, absent);
    for (int i = 0; i < c_elements; ++i) {
      const Place at = place_in_c<m, n>(lane, i);
      set_element<D>(words, i, D::raw(sums[at.outer][at.inner]));
    }
  }
}

}  // namespace gridspan::device_library::matrix
