// Arithmetic on 32 lanes at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/lane_number.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

#include <algorithm>
#include <functional>

namespace gridspan::transforms {

using namespace llvm;

bool LaneNumber::is_uniform() const {
  return is_known() && is_same_everywhere(number) &&
         all_of(terms, [](const Term& term) { return is_same_everywhere(term.factor); });
}

Lanes all_lanes(std::int64_t number) {
  Lanes lanes;
  lanes.fill(number);
  return lanes;
}

LaneNumber constant(std::int64_t number) { return {~0u, all_lanes(number), {}}; }
LaneNumber symbol(const Value* name) { return {~0u, {}, {{name, all_lanes(1)}}}; }

bool is_same_everywhere(const Lanes& lanes) {
  return all_of(lanes, [&](std::int64_t one) { return one == lanes[0]; });
}

LaneNumber sum(const LaneNumber& x, std::int64_t a, const LaneNumber& y, std::int64_t b) {
  LaneNumber result{x.known & y.known, {}, {}};
  for (unsigned i = 0; i < lane_count; ++i) result.number[i] = a * x.number[i] + b * y.number[i];
  auto add = [&](const LaneNumber::Term& term, std::int64_t factor) {
    auto at = llvm::lower_bound(result.terms, term.symbol,
                                [](const LaneNumber::Term& one, const Value* name) {
                                  return std::less<>()(one.symbol, name);
                                });
    if (at == result.terms.end() || at->symbol != term.symbol)
      at = result.terms.insert(at, {term.symbol, {}});
    for (unsigned i = 0; i < lane_count; ++i) at->factor[i] += factor * term.factor[i];
  };
  for (const auto& term : x.terms) add(term, a);
  for (const auto& term : y.terms) add(term, b);
  erase_if(result.terms, [](const LaneNumber::Term& term) {
    return all_of(term.factor, [](std::int64_t one) { return one == 0; });
  });
  return result;
}

LaneNumber product(const LaneNumber& x, const LaneNumber& plain) {
  LaneNumber result = x;
  result.known &= plain.known;
  for (unsigned i = 0; i < lane_count; ++i) {
    result.number[i] *= plain.number[i];
    for (auto& term : result.terms) term.factor[i] *= plain.number[i];
  }
  return result;
}

bool has_same_symbols(const LaneNumber& x, const LaneNumber& y, unsigned lane) {
  for (const auto& term : sum(x, 1, y, -1).terms)
    if (term.factor[lane] != 0) return false;
  return true;
}

bool are_symbols_multiples(const LaneNumber& x, std::int64_t unit) {
  return all_of(x.terms, [&](const LaneNumber::Term& term) {
    return all_of(term.factor, [&](std::int64_t one) { return one % unit == 0; });
  });
}

std::int64_t wrapped(std::int64_t number, unsigned bits) {
  if (bits >= 64) return number;
  if (bits == 1) return number & 1;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(number) << (64 - bits)) >>
         (64 - bits);
}

std::uint64_t without_sign(std::int64_t number, unsigned bits) {
  const auto value = static_cast<std::uint64_t>(number);
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::optional<std::int64_t> folded(unsigned opcode, std::int64_t x, std::int64_t y, unsigned bits) {
  const std::uint64_t ux = without_sign(x, bits), uy = without_sign(y, bits);
  switch (opcode) {
    case Instruction::Add:
      return static_cast<std::int64_t>(ux + uy);
    case Instruction::Sub:
      return static_cast<std::int64_t>(ux - uy);
    case Instruction::Mul:
      return static_cast<std::int64_t>(ux * uy);
    case Instruction::And:
      return x & y;
    case Instruction::Or:
      return x | y;
    case Instruction::Xor:
      return x ^ y;
    case Instruction::Shl:
      return uy < bits ? static_cast<std::int64_t>(ux << uy) : 0;
    case Instruction::LShr:
      return uy < bits ? static_cast<std::int64_t>(ux >> uy) : 0;
    case Instruction::AShr:
      return x >> std::min<std::uint64_t>(uy, bits - 1);
    case Instruction::UDiv:
      return uy == 0 ? std::nullopt : std::optional(static_cast<std::int64_t>(ux / uy));
    case Instruction::URem:
      return uy == 0 ? std::nullopt : std::optional(static_cast<std::int64_t>(ux % uy));
    case Instruction::SDiv:
      return y == 0 || y == -1 ? std::nullopt : std::optional(x / y);
    case Instruction::SRem:
      return y == 0 || y == -1 ? std::nullopt : std::optional(x % y);
    default:
      return std::nullopt;
  }
}

bool holds(CmpInst::Predicate predicate, std::int64_t x, std::int64_t y, unsigned bits) {
  const std::uint64_t ux = without_sign(x, bits), uy = without_sign(y, bits);
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return x == y;
    case CmpInst::ICMP_NE:
      return x != y;
    case CmpInst::ICMP_UGT:
      return ux > uy;
    case CmpInst::ICMP_UGE:
      return ux >= uy;
    case CmpInst::ICMP_ULT:
      return ux < uy;
    case CmpInst::ICMP_ULE:
      return ux <= uy;
    case CmpInst::ICMP_SGT:
      return x > y;
    case CmpInst::ICMP_SGE:
      return x >= y;
    case CmpInst::ICMP_SLT:
      return x < y;
    default:
      return x <= y;
  }
}

void take_lane(LaneNumber& to, const LaneNumber& from, unsigned lane) {
  LaneNumber only{~0u, {}, {}};
  only.number[lane] = from.number[lane];
  for (const auto& term : from.terms) {
    only.terms.push_back({term.symbol, {}});
    only.terms.back().factor[lane] = term.factor[lane];
  }
  const std::uint32_t known = (to.known & ~(1u << lane)) | (from.known & (1u << lane));
  to = sum(to, 1, only, 1);
  to.known = known;
}

bool is_equal(const LaneNumber& x, const LaneNumber& y, unsigned lane) {
  return ((x.known & y.known) >> lane & 1) != 0 && x.number[lane] == y.number[lane] &&
         has_same_symbols(x, y, lane);
}

}  // namespace gridspan::transforms
