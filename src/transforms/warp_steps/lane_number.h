// A number for each lane of a warp, and arithmetic on it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     number + sum of symbol * factor         in each lane that is known
//
// A symbol is a value that is the same for all lanes, but unknown.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Value.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gridspan::transforms {

inline constexpr unsigned lane_count = 32;

using Lanes = std::array<std::int64_t, lane_count>;

struct LaneNumber {
  std::uint32_t known = ~0u;  // lanes; the rest holds for these
  Lanes number{};
  struct Term {
    const llvm::Value* symbol;
    Lanes factor;
  };
  std::vector<Term> terms;  // in order of their symbols' addresses

  bool is_known() const { return known == ~0u; }
  bool is_plain() const { return is_known() && terms.empty(); }
  bool is_uniform() const;
};

Lanes all_lanes(std::int64_t number);
bool is_same_everywhere(const Lanes& lanes);

LaneNumber constant(std::int64_t number);
LaneNumber symbol(const llvm::Value* name);

/// a * x + b * y
LaneNumber sum(const LaneNumber& x, std::int64_t a, const LaneNumber& y, std::int64_t b);
/// `plain` has no symbols.
LaneNumber product(const LaneNumber& x, const LaneNumber& plain);
/// Takes `lane` of `from`.
void take_lane(LaneNumber& to, const LaneNumber& from, unsigned lane);

bool has_same_symbols(const LaneNumber& x, const LaneNumber& y, unsigned lane);
/// All that lanes do not share is a multiple of `unit`.
bool are_symbols_multiples(const LaneNumber& x, std::int64_t unit);
bool is_equal(const LaneNumber& x, const LaneNumber& y, unsigned lane);

/// One lane's arithmetic, on numbers of `bits` bits.
std::int64_t wrapped(std::int64_t number, unsigned bits);
std::uint64_t without_sign(std::int64_t number, unsigned bits);
std::optional<std::int64_t> folded(unsigned opcode, std::int64_t x, std::int64_t y, unsigned bits);
bool holds(llvm::CmpInst::Predicate predicate, std::int64_t x, std::int64_t y, unsigned bits);

}  // namespace gridspan::transforms
