// Values that loops carry from one iteration to the next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header phi is evaluated by giving it a symbol of its own, evaluating what the latch hands back
// in terms of that symbol, and looking at the difference: if it does not vary in the loop, the phi
// is start + step * counter. What was evaluated in terms of the symbol is forgotten (`Trial`).
// What the latch hands back without looking at the phi is its value one iteration later. Of other
// phis there may be bounds (carried.cpp).
#include "analysis/evaluator.h"

#include <algorithm>

namespace gridspan::analysis {

using namespace llvm;

namespace {

constexpr std::size_t max_trials = 3;  // one within the other, for bounds

/// The only expression of a piecewise value, whatever its domain, if there is only one.
std::optional<isl::aff> only_expression(const isl::pw_aff& value) {
  std::vector<Piece> all = pieces(value);
  if (all.empty()) return std::nullopt;
  for (const Piece& piece : all)
    if (!isl_aff_plain_is_equal(piece.value.get(), all[0].value.get())) return std::nullopt;
  return all[0].value;
}

/// What is added in every iteration, if it is the same in all of them.
std::optional<isl::pw_aff> fixed_step(const isl::pw_aff& difference, const Symbols& symbols,
                                      const Loop* loop) {
  isl::pw_aff step = difference.coalesce();
  if (!symbols.varies_in(step, loop)) return step;
  // Conditions may mention what varies though the step does not.
  std::optional<isl::aff> only = only_expression(step);
  if (!only || symbols.varies_in(isl::pw_aff(*only), loop)) return std::nullopt;
  return isl::pw_aff(*only);
}

}  // namespace

Evaluator::Trial::Trial(Evaluator& evaluator, const std::string& self)
    : evaluator_(evaluator), self_(self) {
  evaluator_.layers_.emplace_back();
  if (!self_.empty()) evaluator_.pending_.insert(self_);
}

Evaluator::Trial::~Trial() {
  evaluator_.pending_.erase(self_);
  evaluator_.layers_.pop_back();
}

Number Evaluator::recurrence(const PHINode& phi) {
  const Loop* loop = loop_of(phi.getParent());
  const BasicBlock* latch = loop->getLoopLatch();
  const BasicBlock* entry = loop->getLoopPredecessor();
  if (!latch || !entry) return data(phi, "a value carried around an irregular loop");
  std::string self = symbols_.data("a value carried around a loop", source_point(phi), loop);
  std::string counter =
      symbols_.loop_counter(loop, source_point(*loop->getHeader()->getTerminator()));
  Number next;
  std::optional<Condition> stay;
  std::optional<isl::pw_aff> step;
  {
    Trial trial(*this, self);
    layers_.back().numbers[&phi] = {symbols_.value(self), {}};
    next = number(phi.getIncomingValueForBlock(latch));
    step = fixed_step(next.value.sub(symbols_.value(self)), symbols_, loop);
    if (!step && layers_.size() <= max_trials) stay = stays(loop);
  }
  Number start = number(phi.getIncomingValueForBlock(entry));
  if (step)
    return {symbols_.recombined(start.value.add(symbols_.multiply(symbols_.value(counter), *step))),
            together(start.uses, next.uses)};
  if (std::optional<Number> previous = previous_value(loop, self, start, next)) return *previous;
  if (!stay) return {symbols_.value(self), {}};
  return carried(phi, self, {start, next, *stay});
}

/// start, and then what the iteration before handed on, if that does not depend on the phi: the
/// former value of a counter.
std::optional<Number> Evaluator::previous_value(const Loop* loop, const std::string& self,
                                                const Number& start, const Number& next) {
  std::optional<isl::aff> only = only_expression(next.value);
  std::optional<Linear> terms = only ? linear(*only) : std::nullopt;
  if (!terms || terms->terms.contains(self)) return std::nullopt;
  std::string counter = symbols_.counter_of(loop);
  isl::pw_aff previous(*only);
  for (const auto& [name, coefficient] : terms->terms) {
    if (!symbols_.varies_in(name, loop)) continue;
    Monomial step = symbols_[name].monomial;
    auto own = std::ranges::find(step, counter);
    if (own == step.end() || symbols_[name].kind != Symbol::Kind::dimension) return std::nullopt;
    step.erase(own);
    isl::pw_aff one_turn =
        step.empty() ? symbols_.constant(1) : symbols_.value(symbols_.product(step));
    previous = previous.sub(one_turn.scale(coefficient));
  }
  isl::pw_aff k = symbols_.value(counter);
  isl::set first = k.eq_set(symbols_.constant(0)), later = k.ge_set(symbols_.constant(1));
  Uses uses = together(start.uses, next.uses);
  if (start.value.ne_set(previous).intersect(first).is_empty()) return Number{previous, uses};
  return Number{start.value.intersect_domain(first).union_add(previous.intersect_domain(later)),
                uses};
}

std::vector<Target> Evaluator::pointer_recurrence(const PHINode& phi) {
  const Loop* loop = loop_of(phi.getParent());
  const BasicBlock* latch = loop->getLoopLatch();
  const BasicBlock* entry = loop->getLoopPredecessor();
  std::vector<Target> unknown{{{Base::Kind::unknown, 0, 0, &phi}, {symbols_.constant(0), {}}}};
  if (!latch || !entry) return unknown;
  std::vector<Target> begin = targets(phi.getIncomingValueForBlock(entry));
  if (begin.size() == 1 && begin[0].base.kind == Base::Kind::loaded) return begin;  // a list, say
  std::vector<Target> next;
  {
    Trial trial(*this);
    layers_.back().targets[&phi] = {{{Base::Kind::phi, 0, 0, &phi}, {symbols_.constant(0), {}}}};
    next = targets(phi.getIncomingValueForBlock(latch));
  }
  if (next.size() != 1 || next[0].base.kind != Base::Kind::phi || next[0].base.value != &phi)
    return unknown;
  std::optional<isl::pw_aff> step = fixed_step(next[0].offset.value, symbols_, loop);
  if (!step) return unknown;
  isl::pw_aff counter = symbols_.value(
      symbols_.loop_counter(loop, source_point(*loop->getHeader()->getTerminator())));
  std::vector<Target> result = begin;
  for (Target& target : result) {
    target.offset.value = target.offset.value.add(symbols_.multiply(counter, *step));
    target.offset.uses = together(target.offset.uses, next[0].offset.uses);
  }
  return result;
}

}  // namespace gridspan::analysis
