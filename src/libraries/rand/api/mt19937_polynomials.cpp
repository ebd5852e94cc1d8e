// The polynomials by which MT19937's streams are found: powers of one, modulo the characteristic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/api/mt19937_polynomials.h"

#include "libraries/rand/api/mt19937_jump.h"
#include "libraries/rand/kernels/mt19937.h"

#include <array>
#include <cstddef>

namespace gridspan::libraries::rand::mt19937 {
namespace {

constexpr std::size_t longs = words / 2;
using Polynomial = std::array<std::uint64_t, longs>;
using Product = std::array<std::uint64_t, 2 * longs + 1>;

/// Adds x^place times 64 coefficients.
void add(Product& sum, std::uint64_t coefficients, std::size_t place) {
  sum[place / 64] ^= coefficients << place % 64;
  if (place % 64 != 0) sum[place / 64 + 1] ^= coefficients >> (64 - place % 64);
}

/// From the top, words that begin with x^degree or above: the characteristic polynomial's other
/// terms are so far below that they add to lower words only.
Polynomial rest(Product product) {
  constexpr std::size_t in_word = degree % 64;
  static_assert(longs - 1 == degree / 64);
  for (std::size_t word = product.size() - 1; word >= longs - 1; --word) {
    const std::size_t kept = word == longs - 1 ? in_word : 0;
    const std::uint64_t high = product[word] >> kept;
    product[word] ^= high << kept;
    for (const int exponent : gridspan_rand::mt19937_exponents)
      add(product, high, 64 * word + kept - degree + static_cast<std::size_t>(exponent));
  }
  Polynomial result;
  for (std::size_t i = 0; i < longs; ++i) result[i] = product[i];
  return result;
}

/// All sums of x^0 to x^3 times a polynomial.
std::array<std::array<std::uint64_t, longs + 1>, 16> multiples_of(const Polynomial& a) {
  std::array<std::array<std::uint64_t, longs + 1>, 16> result{};
  for (std::size_t i = 0; i < longs; ++i) result[1][i] = a[i];
  for (std::size_t v = 2; v < 16; ++v)
    for (std::size_t i = 0; i <= longs; ++i)
      result[v][i] = v % 2 != 0 ? result[v - 1][i] ^ result[1][i]
                                : result[v / 2][i] << 1 | (i > 0 ? result[v / 2][i - 1] >> 63 : 0);
  return result;
}

Polynomial product_of(const Polynomial& a, const Polynomial& b) {
  const auto multiples = multiples_of(b);
  Product sum{};
  for (int digit = 15; digit >= 0; --digit) {
    for (std::size_t i = sum.size() - 1; i > 0; --i) sum[i] = sum[i] << 4 | sum[i - 1] >> 60;
    sum[0] <<= 4;
    for (std::size_t place = 0; place < longs; ++place) {
      const auto& multiple = multiples[a[place] >> 4 * digit & 15];
      for (std::size_t i = 0; i <= longs; ++i) sum[place + i] ^= multiple[i];
    }
  }
  return rest(sum);
}

/// Appends `count` powers from the 0th on; the next one.
Polynomial append_powers(const Polynomial& base, int count, std::vector<std::uint32_t>& to) {
  Polynomial power{1};
  for (int i = 0; i < count; ++i) {
    for (const std::uint64_t word : power) {
      to.push_back(static_cast<std::uint32_t>(word));
      to.push_back(static_cast<std::uint32_t>(word >> 32));
    }
    power = i == 0 ? base : product_of(power, base);
  }
  return power;
}

std::vector<std::uint32_t> make() {
  Polynomial jump;
  for (std::size_t i = 0; i < longs; ++i)
    jump[i] = gridspan_rand::mt19937_jump[2 * i] |
              static_cast<std::uint64_t>(gridspan_rand::mt19937_jump[2 * i + 1]) << 32;
  std::vector<std::uint32_t> result;
  result.reserve(static_cast<std::size_t>(group + streams / group) * words);
  append_powers(append_powers(jump, group, result), streams / group, result);
  return result;
}

}  // namespace

const std::vector<std::uint32_t>& polynomials() {
  static const std::vector<std::uint32_t> made = make();
  return made;
}

}  // namespace gridspan::libraries::rand::mt19937
