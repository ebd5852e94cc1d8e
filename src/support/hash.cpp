// Multiply-and-fold hashing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/hash.h"

#include <cstring>

namespace gridspan::support {

namespace {

constexpr std::uint64_t first_factor = 0xa0761d6478bd642f;
constexpr std::uint64_t second_factor = 0xe7037ed1a0b428db;

/// Both halves of the 128-bit product, so that every bit of the factors reaches the result.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t load(const unsigned char* from, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, size);
  return value;
}

}  // namespace

std::uint64_t hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  std::uint64_t even = seed ^ first_factor, odd = seed ^ second_factor;
  std::size_t left = size;
  for (; left >= 16; left -= 16, at += 16) {
    even = fold(even ^ load(at, 8), first_factor);
    odd = fold(odd ^ load(at + 8, 8), second_factor);
  }
  if (left >= 8) {
    even = fold(even ^ load(at, 8), first_factor);
    left -= 8;
    at += 8;
  }
  odd = fold(odd ^ load(at, left), second_factor);
  return fold(even ^ size, odd ^ second_factor);
}

}  // namespace gridspan::support
