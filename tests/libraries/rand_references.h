// Generators of random numbers as their papers have them, with jumps as powers of matrices: plain,
// slow, and written without the headers that they check. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

namespace reference {

/// Philox4x32-10 of Salmon et al.
inline std::array<uint32_t, 4> philox(std::array<uint32_t, 4> c, std::array<uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * c[0], b = uint64_t{0xCD9E8D57} * c[2];
    c = {uint32_t(b >> 32) ^ c[1] ^ k[0], uint32_t(b), uint32_t(a >> 32) ^ c[3] ^ k[1],
         uint32_t(a)};
    k = {k[0] + 0x9E3779B9, k[1] + 0xBB67AE85};
  }
  return c;
}

/// Numbers from `offset` on.
inline std::vector<uint32_t> philox_numbers(uint64_t seed, uint64_t subsequence, uint64_t offset,
                                            int count) {
  std::vector<uint32_t> result;
  for (int i = 0; i < count; ++i) {
    unsigned __int128 counter =
        ((unsigned __int128)subsequence << 64) + ((unsigned __int128)offset + i) / 4;
    std::array<uint32_t, 4> c;
    for (uint32_t& word : c) {
      word = uint32_t(counter);
      counter >>= 32;
    }
    result.push_back(philox(c, {uint32_t(seed), uint32_t(seed >> 32)})[(offset + i) % 4]);
  }
  return result;
}

using Bits = std::bitset<160>;
using Matrix = std::vector<Bits>;  // its columns

inline Bits product(const Matrix& m, const Bits& x) {
  Bits result;
  for (int i = 0; i < 160; ++i)
    if (x[i]) result ^= m[i];
  return result;
}

struct Xorwow {
  uint32_t x, y, z, w, v, d;
  uint32_t next() {
    const uint32_t t = x ^ (x >> 2);
    x = y, y = z, z = w, w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    return (d += 362437) + v;
  }
  Bits bits() const {
    Bits result;
    const uint32_t words[] = {x, y, z, w, v};
    for (int i = 0; i < 160; ++i) result[i] = words[i / 32] >> i % 32 & 1;
    return result;
  }
  void set(const Bits& bits) {
    uint32_t* const words[] = {&x, &y, &z, &w, &v};
    for (uint32_t* word : words) *word = 0;
    for (int i = 0; i < 160; ++i) *words[i / 32] |= uint32_t(bits[i]) << i % 32;
  }
};

/// The map of 2^i steps.
inline const Matrix& xorwow_power(int i) {
  static std::vector<Matrix> powers;
  if (powers.empty()) {
    Matrix one(160);
    for (int column = 0; column < 160; ++column) {
      Xorwow state{0, 0, 0, 0, 0, 0};
      state.set(Bits().set(column));
      state.next();
      one[column] = state.bits();
    }
    powers.push_back(one);
  }
  while (static_cast<int>(powers.size()) <= i) {
    const Matrix& last = powers.back();
    Matrix next;
    for (const Bits& column : last) next.push_back(product(last, column));
    powers.push_back(next);
  }
  return powers[i];
}

inline std::vector<uint32_t> xorwow_numbers(uint64_t seed, uint64_t sequence, uint64_t offset,
                                            int count) {
  const uint32_t low = (uint32_t(seed) ^ 0xAAD26B49) * 1099087573u;
  const uint32_t high = (uint32_t(seed >> 32) ^ 0xF7DCEFDD) * 2591861531u;
  Xorwow state{123456789 + low, 362436069 ^ low, 521288629 + high,
               88675123 ^ high, 5783321 + low,   6615241 + high + low};
  Bits bits = state.bits();
  for (int i = 0; i < 64; ++i) {
    if (sequence >> i & 1) bits = product(xorwow_power(67 + i), bits);
    if (offset >> i & 1) bits = product(xorwow_power(i), bits);
  }
  state.set(bits);
  state.d += 362437u * uint32_t(offset);
  std::vector<uint32_t> result;
  for (int i = 0; i < count; ++i) result.push_back(state.next());
  return result;
}

using Line = std::array<uint64_t, 3>;
using Square = std::array<Line, 3>;

inline Square product(const Square& a, const Square& b, uint64_t modulus) {
  Square result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        result[i][j] = (result[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
  return result;
}

/// MRG32k3a's number, from 1 to 2^32 - 209, `subsequence` 2^76 + offset numbers from a seed.
inline std::vector<uint32_t> mrg_numbers(uint64_t seed, uint64_t subsequence, uint64_t offset,
                                         int count) {
  const uint64_t moduli[] = {4294967087, 4294944443};
  const Square steps[] = {{{{0, 1, 0}, {0, 0, 1}, {moduli[0] - 810728, 1403580, 0}}},
                          {{{0, 1, 0}, {0, 0, 1}, {moduli[1] - 1370589, 0, 527612}}}};
  const uint64_t low = uint32_t(seed) ^ 0x55555555u, high = uint32_t(seed >> 32) ^ 0xAAAAAAAAu;
  Line states[] = {{low, high, low}, {high, low, high}};
  for (int part = 0; part < 2; ++part) {
    for (uint64_t& x : states[part]) x = seed ? x * 12345 % moduli[part] : 12345;
    Square power = steps[part];
    for (int i = 0; i < 76 + 64; ++i, power = product(power, power, moduli[part])) {
      const bool in_offset = i < 64 && offset >> i & 1,
                 in_subsequence = i >= 76 && subsequence >> (i - 76) & 1;
      for (int times = in_offset + in_subsequence; times > 0; --times) {
        Line next{};
        for (int row = 0; row < 3; ++row)
          for (int k = 0; k < 3; ++k)
            next[row] = (next[row] + power[row][k] * states[part][k] % moduli[part]) % moduli[part];
        states[part] = next;
      }
    }
  }
  std::vector<uint32_t> result;
  for (int i = 0; i < count; ++i) {
    uint64_t fresh[2];
    for (int part = 0; part < 2; ++part) {
      Line& s = states[part];
      fresh[part] = 0;
      for (int k = 0; k < 3; ++k)
        fresh[part] = (fresh[part] + steps[part][2][k] * s[k] % moduli[part]) % moduli[part];
      s = {s[1], s[2], fresh[part]};
    }
    result.push_back(
        uint32_t(fresh[0] > fresh[1] ? fresh[0] - fresh[1] : fresh[0] + moduli[0] - fresh[1]));
  }
  return result;
}

/// Number i of a sequence of Sobol's: one direction vector for each bit of its Gray code.
template <typename Word>
Word sobol(const Word* vectors, Word i, Word start) {
  const Word gray = i ^ (i >> 1);
  for (unsigned bit = 0; bit < sizeof(Word) * 8; ++bit)
    if (gray >> bit & 1) start ^= vectors[bit];
  return start;
}

}  // namespace reference
