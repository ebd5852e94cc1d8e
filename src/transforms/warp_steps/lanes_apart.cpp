// Compares addresses, lane by lane.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/lanes_apart.h"

#include "transforms/arrays_of_launch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Registers are known by the functions that read them.
bool is_array(const Value& symbol) {
  return symbol.getType()->isPointerTy() && !isa<AllocaInst, Function>(symbol);
}

/// What an address is in, as far as one lane's number tells.
struct Place {
  const Value* array = nullptr;  // known by its name
  bool is_of_launch = false;     // what the launch was given: neither shared nor a thread's own
};

Place place_of(const LaneNumber& address, unsigned lane) {
  const Value* found = nullptr;
  for (const auto& term : address.terms) {
    if (term.factor[lane] == 0 || !term.symbol->getType()->isPointerTy() ||
        isa<Function>(term.symbol))
      continue;
    if (found || term.factor[lane] != 1) return {};
    found = term.symbol;
  }
  if (!found) return {};
  const auto* load = dyn_cast<LoadInst>(found);
  const bool is_named = isa<Argument, GlobalVariable, AllocaInst>(found);
  return {is_named ? found : nullptr,
          isa<Argument>(found) || (load && is_in_argument(*load->getPointerOperand()))};
}

bool are_other_arrays(const Place& x, const Place& y) {
  const auto is_of_block = [](const Place& one) {
    return one.array && (isa<AllocaInst>(one.array) || is_shared_array(one.array));
  };
  if ((is_of_block(x) && y.is_of_launch) || (is_of_block(y) && x.is_of_launch)) return true;
  if (!x.array || !y.array || x.array == y.array) return false;
  return is_of_block(x) || is_of_block(y) || !may_be_one_array(*x.array, *y.array);
}

/// Each is the same number whenever the two accesses are compared.
bool are_symbols_fixed(const LaneNumber& address, const LoopInfo& loops, const BasicBlock& first,
                       const BasicBlock& second, const Loop* between) {
  return all_of(address.terms, [&](const auto& term) {
    auto* symbol = dyn_cast<Instruction>(term.symbol);
    const Loop* loop = symbol ? loops.getLoopFor(symbol->getParent()) : nullptr;
    return !loop || (loop->contains(&first) && loop->contains(&second) &&
                     !(between && between->contains(loop)));
  });
}

}  // namespace

std::uint32_t lanes_at_arrays(const LaneNumber& address, bool anywhere) {
  std::uint32_t lanes = 0;
  for (const auto& term : address.terms)
    if (is_shared_array(term.symbol) || (anywhere && is_array(*term.symbol)))
      for (unsigned i = 0; i < lane_count; ++i)
        lanes |= static_cast<std::uint32_t>(term.factor[i] == 1) << i;
  return lanes & address.known;
}

bool have_same_symbols(const LaneNumber& x, unsigned i, const LaneNumber& y, unsigned k) {
  auto factor = [](const LaneNumber& number, const Value* symbol, unsigned lane) {
    for (const auto& term : number.terms)
      if (term.symbol == symbol) return term.factor[lane];
    return std::int64_t{0};
  };
  auto agree = [&](const LaneNumber::Term& term) {
    return factor(x, term.symbol, i) == factor(y, term.symbol, k);
  };
  return all_of(x.terms, agree) && all_of(y.terms, agree);
}

bool are_lanes_apart(LaneNumbers& numbers, const LoopInfo& loops, AccessInBlock first,
                     AccessInBlock second, const Loop* between) {
  const LaneNumber x = numbers.of(first.access.address);
  const LaneNumber& y = numbers.of(second.access.address);
  const std::uint32_t xs = numbers.lanes_in(&first.block), ys = numbers.lanes_in(&second.block);
  const bool is_fixed = first.access.bytes != 0 && second.access.bytes != 0 &&
                        are_symbols_fixed(x, loops, first.block, second.block, between) &&
                        are_symbols_fixed(y, loops, first.block, second.block, between);
  const auto x_bytes = static_cast<std::int64_t>(first.access.bytes);
  const auto y_bytes = static_cast<std::int64_t>(second.access.bytes);
  for (unsigned i = 0; i < lane_count; ++i) {
    if ((xs >> i & 1) == 0) continue;
    const Place place = place_of(x, i);
    for (unsigned k = 0; k < lane_count; ++k) {
      if (i == k || (ys >> k & 1) == 0) continue;
      if (are_other_arrays(place, place_of(y, k))) continue;
      const bool are_known = (x.known >> i & 1) != 0 && (y.known >> k & 1) != 0 && is_fixed &&
                             have_same_symbols(x, i, y, k);
      if (!are_known ||
          (x.number[i] < y.number[k] + y_bytes && y.number[k] < x.number[i] + x_bytes))
        return false;
    }
  }
  return true;
}

}  // namespace gridspan::transforms
