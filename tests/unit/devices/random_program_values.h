// What the machine and the reference of random programs must agree on: the meaning of values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "random_program.h"

#include <cstdint>

namespace gridspan::test {

inline constexpr int registers = 5;
inline constexpr int depths = 8;
inline constexpr int most_sync_points = 62;

inline std::uint32_t mix(std::uint32_t x, std::uint32_t y, std::uint32_t constant) {
  std::uint32_t h = (x ^ constant) * 0x9e3779b1u + (y >> 3 | y << 29);
  return h ^ h >> 15;
}

inline void initial_registers(std::uint32_t* r, std::uint64_t block, std::uint32_t t) {
  for (std::uint32_t i = 0; i < registers; ++i) {
    // Some registers are alike for neighbours, so that votes and matches say something.
    const std::uint32_t thread = i % 2 == 0 ? t : t / 3 % 2;
    r[i] = mix(thread, static_cast<std::uint32_t>(block), i);
  }
}

inline std::uint32_t digest(const std::uint32_t* r) {
  std::uint32_t h = 1;
  for (int i = 0; i < registers; ++i) h = mix(h, r[i], 77);
  return h;
}

inline std::uint32_t partner(std::uint32_t t, std::uint32_t threads, std::uint32_t constant) {
  return (t + constant) % threads;
}

inline bool takes_predicate(SyncKind kind) {
  return kind >= SyncKind::vote_all && kind <= SyncKind::vote_ballot;
}
inline bool has_flag(SyncKind kind) {
  return (kind >= SyncKind::shuffle_up && kind <= SyncKind::shuffle_index) ||
         kind == SyncKind::match_all;
}
inline std::uint64_t operand(SyncKind kind, const std::uint32_t* r, int b) {
  if (takes_predicate(kind)) return r[b] & 1;
  if (kind == SyncKind::match_any || kind == SyncKind::match_all) {
    return (std::uint64_t{r[b] & 3} << 32) | (r[b] & 1);
  }
  return r[b];
}
inline std::uint32_t combine(SyncKind kind, std::uint64_t value, std::uint32_t flag) {
  return static_cast<std::uint32_t>(value) + (has_flag(kind) ? flag * 77 : 0);
}

}  // namespace gridspan::test
