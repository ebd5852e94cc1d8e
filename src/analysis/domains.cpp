// When blocks run: control flow as sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block's domain is that of the loop it is in (which iterations there are) and the conditions on
// the way from the loop's header to it. Where paths meet again after an `if` nothing is left of its
// condition: a block that post-dominates its dominator runs whenever that does. Loops are taken to
// end.
#include "analysis/evaluator.h"

#include "llvm/IR/Constants.h"

namespace gridspan::analysis {

using namespace llvm;

bool Evaluator::is_reducible() const {
  // Every edge that goes back in the dominator order must lead to the header of a loop.
  for (const BasicBlock& block : function_)
    for (const BasicBlock* next : successors(&block))
      if (dominators_.dominates(next, &block)) {
        const Loop* loop = loops_.getLoopFor(next);
        if (!loop || loop->getHeader() != next) return false;
      }
  // Cycles that are not loops: depth-first search for edges back to a block that does not dominate.
  std::map<const BasicBlock*, int> state;  // 1: on the path, 2: done
  std::vector<std::pair<const BasicBlock*, const_succ_iterator>> path;
  const BasicBlock* entry = &function_.getEntryBlock();
  path.emplace_back(entry, succ_begin(entry));
  state[entry] = 1;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next == succ_end(block)) {
      state[block] = 2;
      path.pop_back();
      continue;
    }
    const BasicBlock* successor = *next++;
    if (state[successor] == 1 && !dominators_.dominates(successor, block)) return false;
    if (state[successor] == 0) {
      state[successor] = 1;
      path.emplace_back(successor, succ_begin(successor));
    }
  }
  return true;
}

Condition Evaluator::domain(const BasicBlock* block) {
  if (const Condition* known = find(&Layer::domains, block)) return *known;
  Condition result = find_domain(block);
  layers_.back().domains.insert_or_assign(block, result);
  return result;
}

Condition Evaluator::find_domain(const BasicBlock* block) {
  const Loop* loop = loop_of(block);
  if (!loop) return reach(block, &function_.getEntryBlock());
  const BasicBlock* before = loop->getLoopPredecessor();
  if (!before) return unknown_condition(*block->getTerminator(), "an irregular loop");
  Condition outer = domain(before);
  Condition entered = edge(before, loop->getHeader());
  Condition turns = iterations(loop);
  Condition inside = reach(block, loop->getHeader());
  return {tidy(outer.holds.intersect(entered.holds).intersect(turns.holds).intersect(inside.holds)),
          together(together(outer.uses, entered.uses), together(turns.uses, inside.uses))};
}

/// When control gets from `from`, which dominates, to `block` (within one iteration of the loops
/// both are in).
Condition Evaluator::reach(const BasicBlock* block, const BasicBlock* from) {
  if (block == from) return {symbols_.universe(), {}};
  std::pair key{block, from};
  if (const Condition* known = find(&Layer::reach, key)) return *known;
  Condition result;
  if (!steps_.run([&] { result = find_reach(block, from); }))
    result = unknown_condition(*block->getTerminator(), too_complex_condition);
  layers_.back().reach.insert_or_assign(key, result);
  return result;
}

Condition Evaluator::find_reach(const BasicBlock* block, const BasicBlock* from) {
  const BasicBlock* above = dominators_.getNode(block)->getIDom()->getBlock();
  // Step out of loops that were left before `block`.
  const Loop* around = loop_of(block);
  if (around && around->getHeader() == block && !around->contains(from))
    around = around->getParentLoop();
  for (const Loop* inner = loop_of(above); inner && inner != around && !inner->contains(block);
       inner = loop_of(above)) {
    const Loop* outermost = inner;
    while (outermost->getParentLoop() && !outermost->getParentLoop()->contains(block))
      outermost = outermost->getParentLoop();
    if (outermost->contains(from)) break;
    above = outermost->getHeader();
    break;
  }
  if (post_dominators_.dominates(block, above)) return reach(above, from);
  Condition result{isl::set::empty(symbols_.universe().space()), {}};
  for (const BasicBlock* previous : predecessors(block)) {
    if (!dominators_.isReachableFromEntry(previous)) continue;
    if (dominators_.dominates(block, previous)) continue;  // the way back of a loop
    Condition path = through(previous, block, from);
    result.holds = either(result.holds, path.holds);
    result.uses = together(result.uses, path.uses);
  }
  return result;
}

/// When control gets from `start` to `to` by the edge `from` -> `to`.
Condition Evaluator::through(const BasicBlock* from, const BasicBlock* to,
                             const BasicBlock* start) {
  Condition last = edge(from, to);
  // A loop that `to` lies behind and `start` before: in some iteration, the edge is taken.
  const Loop* left = nullptr;
  for (const Loop* loop = loop_of(from); loop && !loop->contains(to) && !loop->contains(start);
       loop = loop->getParentLoop())
    left = loop;
  if (!left) {
    Condition way = reach(from, start);
    return {way.holds.intersect(last.holds), together(way.uses, last.uses)};
  }
  SmallVector<BasicBlock*, 4> exits;
  left->getUniqueExitBlocks(exits);
  Condition entered = reach(left->getHeader(), start);
  if (exits.size() == 1 && left->getExitingBlock()) return entered;
  isl::set inside = last.holds;
  Uses uses = together(entered.uses, last.uses);
  const BasicBlock* place = from;
  for (const Loop* loop = loop_of(from); loop; loop = loop->getParentLoop()) {
    Condition way = reach(place, loop->getHeader()), turns = iterations(loop);
    inside = in_some_iteration(inside.intersect(way.holds).intersect(turns.holds), loop);
    uses = together(uses, together(way.uses, turns.uses));
    if (loop == left) break;
    place = loop->getHeader();
  }
  return {entered.holds.intersect(inside), uses};
}

/// When what `inside` says of an iteration is true of one of them.
isl::set Evaluator::in_some_iteration(const isl::set& inside, const Loop* loop) {
  const Symbols::SomeIteration some = symbols_.of_some_iteration(tidy(inside), loop);
  if (!some.depends_on) return some.may_hold;
  const Condition unknown =
      unknown_condition(some.depends_on->text, some.depends_on->where, loop->getParentLoop());
  return some.may_hold.intersect(unknown.holds);
}

Condition Evaluator::edge(const BasicBlock* from, const BasicBlock* to) {
  const Instruction* terminator = from->getTerminator();
  if (from->getSingleSuccessor() == to) return {symbols_.universe(), {}};
  if (auto* branch = dyn_cast<BranchInst>(terminator)) {
    Condition taken = condition(branch->getCondition());
    if (branch->getSuccessor(0) != to) taken.holds = taken.holds.complement();
    return taken;
  }
  if (auto* choice = dyn_cast<SwitchInst>(terminator)) {
    Number value = number(choice->getCondition());
    isl::set cases = isl::set::empty(symbols_.universe().space()), others = cases;
    for (auto& entry : choice->cases()) {
      isl::set here = value.value.eq_set(number(entry.getCaseValue()).value);
      (entry.getCaseSuccessor() == to ? cases : others) =
          either(entry.getCaseSuccessor() == to ? cases : others, here);
    }
    if (choice->getDefaultDest() == to) cases = either(cases, others.complement());
    return {cases, value.uses};
  }
  return unknown_condition(*terminator, "a jump that is not followed");
}

/// When an iteration that has begun goes on to the next.
Condition Evaluator::stays(const Loop* loop) {
  const BasicBlock* latch = loop->getLoopLatch();
  Condition way = reach(latch, loop->getHeader());
  Condition back = edge(latch, loop->getHeader());
  return {tidy(way.holds.intersect(back.holds)), together(way.uses, back.uses)};
}

/// Which iterations of a loop that is entered there are.
Condition Evaluator::iterations(const Loop* loop) {
  if (const Condition* known = find(&Layer::iterations, loop)) return *known;
  Condition result = count_iterations(loop);
  layers_.back().iterations.insert_or_assign(loop, result);
  return result;
}

/// Iteration k >= 1 takes place if all before it stay. Where staying is monotone it is enough that
/// iteration k - 1 does.
Condition Evaluator::count_iterations(const Loop* loop) {
  const Instruction& header = *loop->getHeader()->getTerminator();
  std::string counter = symbols_.loop_counter(loop, source_point(header));
  isl::pw_aff k = symbols_.value(counter);
  isl::set all = k.ge_set(symbols_.constant(0)), later = k.ge_set(symbols_.constant(1));
  if (!loop->getLoopLatch()) {
    Condition unknown = unknown_condition(header, "an irregular loop");
    return {all.intersect(unknown.holds), unknown.uses};
  }
  Condition stay = stays(loop);
  isl::set before = symbols_.in_previous_iteration(stay.holds, loop);
  Condition monotone{either(k.eq_set(symbols_.constant(0)), later.intersect(before)), stay.uses};
  // Iterations that would stay although the one before them does not:
  isl::set resumes = symbols_.with_definitions(later.intersect(stay.holds)).subtract(before);
  resumes = resumes.intersect(symbols_.launch_facts(resumes));
  if (resumes.is_empty()) return monotone;
  bool only_counter = true;
  for (const std::string& name : model::involved_parameters(stay.holds))
    if (symbols_.varies_in(name, loop) && name != counter) only_counter = false;
  if (only_counter) {
    std::string earlier = counter + "_earlier";
    isl::set leaves = rename_parameter(all.subtract(stay.holds), counter, earlier);
    isl::set after = leaves.intersect(symbols_.value(earlier).lt_set(k)).project_out_param(earlier);
    return {all.subtract(after).coalesce(), stay.uses};
  }
  model::OrNull<isl::set> fine =
      symbols_.avoiding(symbols_.over_parameters(resumes), stay.holds).condition;
  if (!fine.is_null()) {  // such as a step that must not be negative
    require_condition(monotone.uses, fine, source_point(header));
    return monotone;
  }
  Condition unknown = unknown_condition(header, "how often a loop runs");
  return {monotone.holds.intersect(unknown.holds), monotone.uses};
}

Uses Evaluator::leave(const Loop* loop, const BasicBlock* from, const BasicBlock* to) {
  // Noted only once it is complete: the limit may be reached on the way.
  if (auto known = exits_.find({loop, from}); known != exits_.end()) return known->second;
  Condition turns = iterations(loop), way = reach(from, loop->getHeader()), last = edge(from, to);
  symbols_.define_exit(loop, from, tidy(turns.holds.intersect(way.holds).intersect(last.holds)));
  return exits_[{loop, from}] = together(turns.uses, together(way.uses, last.uses));
}

/// A block that dominates `block`, is not in a loop that `block` is not in, and is not `block`.
const BasicBlock* Evaluator::before_merge(const BasicBlock* block) const {
  const BasicBlock* above = dominators_.getNode(block)->getIDom()->getBlock();
  while (const Loop* loop = loop_of(above)) {
    if (loop->contains(block)) break;
    above = loop->getLoopPredecessor()
                ? loop->getLoopPredecessor()
                : dominators_.getNode(loop->getHeader())->getIDom()->getBlock();
  }
  return above;
}

}  // namespace gridspan::analysis
