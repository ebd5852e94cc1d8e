// Values that loops carry from one iteration to the next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header phi is evaluated by giving it a symbol of its own, evaluating what the latch hands back
// in terms of that symbol, and looking at the difference: if it does not vary in the loop, the phi
// is start + step * counter. What was evaluated in terms of the symbol is forgotten (`layers_`).
#include "analysis/evaluator.h"

namespace gridspan::analysis {

using namespace llvm;

namespace {

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

Number Evaluator::recurrence(const PHINode& phi) {
  const Loop* loop = loop_of(phi.getParent());
  const BasicBlock* latch = loop->getLoopLatch();
  const BasicBlock* entry = loop->getLoopPredecessor();
  if (!latch || !entry) return data(phi, "a value carried around an irregular loop");
  std::string self = symbols_.data("a value carried around a loop", source_point(phi), loop);
  layers_.emplace_back();
  layers_.back().numbers[&phi] = {symbols_.value(self), {}};
  pending_.insert(self);
  Number next = number(phi.getIncomingValueForBlock(latch));
  pending_.erase(self);
  layers_.pop_back();
  std::optional<isl::pw_aff> step =
      fixed_step(next.value.sub(symbols_.value(self)), symbols_, loop);
  if (!step) return {symbols_.value(self), {}};
  Number start = number(phi.getIncomingValueForBlock(entry));
  isl::pw_aff counter = symbols_.value(
      symbols_.loop_counter(loop, source_point(*loop->getHeader()->getTerminator())));
  return {start.value.add(symbols_.multiply(counter, *step)), together(start.uses, next.uses)};
}

std::vector<Target> Evaluator::pointer_recurrence(const PHINode& phi) {
  const Loop* loop = loop_of(phi.getParent());
  const BasicBlock* latch = loop->getLoopLatch();
  const BasicBlock* entry = loop->getLoopPredecessor();
  std::vector<Target> unknown{{{Base::Kind::unknown, 0, 0, &phi}, {symbols_.constant(0), {}}}};
  if (!latch || !entry) return unknown;
  std::vector<Target> begin = targets(phi.getIncomingValueForBlock(entry));
  if (begin.size() == 1 && begin[0].base.kind == Base::Kind::loaded) return begin;  // a list, say
  layers_.emplace_back();
  layers_.back().targets[&phi] = {{{Base::Kind::phi, 0, 0, &phi}, {symbols_.constant(0), {}}}};
  std::vector<Target> next = targets(phi.getIncomingValueForBlock(latch));
  layers_.pop_back();
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
