// Polynomials, initial numbers, the recurrence, scrambling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/api/sobol_tables.h"

#include <algorithm>
#include <array>
#include <bit>

namespace gridspan::libraries::rand {
namespace {

/// Random bits of a place: Steele, Lea, Flood, Fast splittable pseudorandom number generators,
/// 2014.
std::uint64_t random_bits(std::uint64_t place) {
  std::uint64_t x = (place + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// --- polynomials over two elements: bit i is the coefficient of x^i

using Polynomial = std::uint64_t;

int degree_of(Polynomial p) { return static_cast<int>(std::bit_width(p)) - 1; }

Polynomial product(Polynomial a, Polynomial b, Polynomial modulus) {
  Polynomial result = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) result ^= a;
    a <<= 1;
    if (a >> degree_of(modulus)) a ^= modulus;
  }
  return result;
}

Polynomial power_of_x(std::uint64_t exponent, Polynomial modulus) {
  Polynomial result = 1, base = 2;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = product(result, base, modulus);
    base = product(base, base, modulus);
  }
  return result;
}

/// x goes through all of the field: its order is 2^degree - 1.
bool is_primitive(Polynomial p) {
  const std::uint64_t order = (std::uint64_t{1} << degree_of(p)) - 1;
  if (power_of_x(order, p) != 1) return false;
  std::uint64_t rest = order;
  for (std::uint64_t prime = 3; prime * prime <= rest; prime += 2) {
    if (rest % prime != 0) continue;
    if (power_of_x(order / prime, p) == 1) return false;
    while (rest % prime == 0) rest /= prime;
  }
  return rest == 1 || rest == order || power_of_x(order / rest, p) != 1;
}

/// The next primitive polynomial of at least degree 2.
Polynomial next_primitive(Polynomial p) {
  do p += 2;
  while (!is_primitive(p));
  return p;
}

// --- initial numbers

constexpr int listed_dimensions = 40;
constexpr int most_initial = 8;
/// Of dimensions 3 to 40; the number of them is the polynomial's degree.
constexpr std::array<std::array<std::uint8_t, most_initial>, listed_dimensions - 2> listed = {{
    {1, 3},
    {1, 3, 1},
    {1, 1, 1},
    {1, 1, 3, 3},
    {1, 3, 5, 13},
    {1, 1, 5, 5, 17},
    {1, 1, 5, 5, 5},
    {1, 1, 7, 11, 19},
    {1, 1, 5, 1, 1},
    {1, 1, 1, 3, 11},
    {1, 3, 5, 5, 31},
    {1, 3, 3, 9, 7, 49},
    {1, 1, 1, 15, 21, 21},
    {1, 3, 1, 13, 27, 49},
    {1, 1, 1, 15, 7, 5},
    {1, 3, 1, 15, 13, 25},
    {1, 1, 5, 5, 19, 61},
    {1, 3, 7, 11, 23, 15, 103},
    {1, 3, 7, 13, 13, 15, 69},
    {1, 1, 3, 13, 7, 35, 63},
    {1, 3, 5, 9, 1, 25, 53},
    {1, 3, 1, 13, 9, 35, 107},
    {1, 3, 1, 5, 27, 61, 31},
    {1, 1, 5, 11, 19, 41, 61},
    {1, 3, 5, 3, 3, 13, 69},
    {1, 1, 7, 13, 1, 19, 1},
    {1, 3, 7, 5, 13, 19, 59},
    {1, 1, 3, 9, 25, 29, 41},
    {1, 3, 5, 13, 23, 1, 55},
    {1, 3, 7, 3, 13, 59, 17},
    {1, 3, 1, 3, 5, 53, 69},
    {1, 1, 5, 5, 23, 33, 13},
    {1, 1, 7, 7, 1, 61, 123},
    {1, 1, 7, 9, 13, 61, 49},
    {1, 3, 3, 5, 3, 55, 33},
    {1, 3, 1, 15, 31, 13, 49, 245},
    {1, 3, 5, 15, 31, 59, 63, 97},
    {1, 3, 1, 11, 11, 11, 77, 249},
}};

/// Number i, odd and less than 2^(i + 1).
std::uint64_t initial_number(int dimension, int i) {
  if (dimension == 1) return 1;
  if (dimension < listed_dimensions)
    return listed[static_cast<std::size_t>(dimension - 2)][static_cast<std::size_t>(i)];
  const auto place = static_cast<std::uint64_t>(dimension) * 64 + static_cast<std::uint64_t>(i);
  return (random_bits(place) & ((std::uint64_t{1} << (i + 1)) - 1)) | 1;
}

// --- vectors

template <typename Word>
constexpr int width = sizeof(Word) * 8;

/// Bratley and Fox's recurrence, of whole vectors. Dimension 0 is that of van der Corput.
template <typename Word>
void append_vectors(int dimension, Polynomial p, std::vector<Word>& vectors) {
  const int degree = dimension == 0 ? width<Word> : degree_of(p);
  const std::size_t first = vectors.size();
  for (int i = 0; i < width<Word>; ++i) {
    Word vector = 0;
    if (i < degree) {
      const std::uint64_t number = dimension == 0 ? 1 : initial_number(dimension, i);
      vector = static_cast<Word>(number) << (width<Word> - 1 - i);
    } else {
      const auto before = [&](int steps) {
        return vectors[first + static_cast<std::size_t>(i - steps)];
      };
      vector = before(degree) ^ before(degree) >> degree;
      for (int k = 1; k < degree; ++k)
        if (p >> (degree - k) & 1) vector ^= before(k);
    }
    vectors.push_back(vector);
  }
}

constexpr std::uint64_t matrix_places = std::uint64_t{1} << 40;
constexpr std::uint64_t start_places = std::uint64_t{1} << 41;

/// Row r of a lower triangular matrix: 1 at r, random above (in more significant bits).
template <typename Word>
Word matrix_row(int dimension, int r) {
  const auto place =
      matrix_places + static_cast<std::uint64_t>(dimension) * 64 + static_cast<std::uint64_t>(r);
  const Word own = Word{1} << (width<Word> - 1 - r);
  const Word above = ~((own << 1) - 1);
  return (static_cast<Word>(random_bits(place)) & above) | own;
}

template <typename Word>
void scramble(int dimension, Word* vectors) {
  std::array<Word, width<Word>> rows;
  for (int r = 0; r < width<Word>; ++r)
    rows[static_cast<std::size_t>(r)] = matrix_row<Word>(dimension, r);
  std::for_each(vectors, vectors + width<Word>, [&](Word& vector) {
    Word result = 0;
    for (const Word row : rows)
      result = static_cast<Word>(result << 1) | (std::popcount<Word>(row & vector) & 1u);
    vector = result;
  });
}

}  // namespace

template <typename Word>
std::vector<Word> direction_vectors(int dimensions, bool scrambled) {
  std::vector<Word> vectors;
  vectors.reserve(static_cast<std::size_t>(dimensions) * width<Word>);
  Polynomial p = 1;
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    if (dimension > 0) p = dimension == 1 ? 3 : next_primitive(p == 3 ? 5 : p);
    append_vectors<Word>(dimension, p, vectors);
  }
  if (scrambled)
    for (int dimension = 0; dimension < dimensions; ++dimension)
      scramble(dimension, &vectors[static_cast<std::size_t>(dimension) * width<Word>]);
  return vectors;
}

template <typename Word>
std::vector<Word> scramble_constants(int dimensions) {
  std::vector<Word> constants(static_cast<std::size_t>(dimensions));
  for (std::size_t i = 0; i < constants.size(); ++i)
    constants[i] = static_cast<Word>(random_bits(start_places + i));
  return constants;
}

template std::vector<unsigned int> direction_vectors(int, bool);
template std::vector<unsigned long long> direction_vectors(int, bool);
template std::vector<unsigned int> scramble_constants(int);
template std::vector<unsigned long long> scramble_constants(int);

}  // namespace gridspan::libraries::rand
