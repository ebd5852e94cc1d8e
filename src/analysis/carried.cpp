// Bounds of values that loops carry in no regular way: halved, doubled, counted on a condition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By induction over the iterations: a value that starts at zero or above and is handed on so stays
// there; one that never grows (never falls) is at most (at least) its start. And it is always
// either its start or what an iteration that did not leave the loop has handed on, which bounds it
// by the loop's condition.
#include "analysis/evaluator.h"

#include <algorithm>

namespace gridspan::analysis {

using namespace llvm;

namespace {
constexpr unsigned long effort = 60'000;  // isl operations for one value
constexpr const char* next_name = "next_";
}  // namespace

/// The conditions under which control gets to a loop, as far as the loop around it tells.
Condition Evaluator::entered(const Loop* loop) {
  const BasicBlock* before = loop->getLoopPredecessor();
  const Loop* around = loop->getParentLoop();
  Condition way = reach(before, around ? around->getHeader() : &function_.getEntryBlock());
  Condition last = edge(before, loop->getHeader());
  return {way.holds.intersect(last.holds), together(way.uses, last.uses)};
}

Number Evaluator::carried(const PHINode& phi, const std::string& self, const Turn& turn) {
  Number result{symbols_.value(self), {}};
  Uses relies_on;
  model::OrNull<isl::set> values;
  bool done = model::within_limit(symbols_.context(), effort, [&] {
    const Loop* loop = loop_of(phi.getParent());
    Condition begin = entered(loop);
    isl::set found = carried_values(loop, self, turn, begin);
    if (has_ends(found, self)) carried_.insert(self);
    values = found;
    relies_on = together(turn.stay.uses, begin.uses);
  });
  if (!done || values.is_null()) return result;
  symbols_.define(result.value, values);
  result.uses = together(together(turn.start.uses, turn.next.uses), relies_on);
  return result;
}

isl::set Evaluator::carried_values(const Loop* loop, const std::string& self, const Turn& turn,
                                   const Condition& begin) const {
  isl::pw_aff value = symbols_.value(self), zero = symbols_.constant(0);
  const isl::pw_aff &start = turn.start.value, &next = turn.next.value;
  const isl::set& stay = turn.stay.holds;
  isl::set known = symbols_.universe();
  if (never(begin.holds.intersect(start.lt_set(zero))) &&
      never(stay.intersect(value.ge_set(zero)).intersect(next.lt_set(zero))))
    known = value.ge_set(zero);
  isl::set within = stay.intersect(known);
  if (never(within.intersect(next.gt_set(value)))) known = known.intersect(value.le_set(start));
  if (never(within.intersect(next.lt_set(value)))) known = known.intersect(value.ge_set(start));
  isl::set handed_on =
      symbols_.with_definitions(stay.intersect(known).intersect(next.bind(next_name)));
  handed_on = handed_on.intersect(symbols_.facts_about(model::involved_parameters(handed_on)));
  std::vector<std::string> gone;
  for (const std::string& name : model::involved_parameters(handed_on))
    if (name != next_name && symbols_.varies_in(name, loop)) gone.push_back(name);
  handed_on = model::project_out_parameters(handed_on, gone);
  handed_on = isl::manage(isl_set_drop_unused_params(handed_on.release()));
  handed_on = rename_parameter(handed_on, next_name, self);
  // One convex set without divisions: definitions take part in every question about the loop.
  isl::set values = value.eq_set(start).intersect(begin.holds).unite(handed_on).intersect(known);
  values = isl::manage(
               isl_set_from_basic_set(isl_set_simple_hull(isl_set_remove_divs(values.release()))))
               .intersect(known);
  return values;
}

/// Has the symbol a least and a largest value at each launch, whatever the data?
bool Evaluator::has_ends(const isl::set& values, const std::string& name) const {
  std::vector<std::string> others;
  for (const std::string& other : model::involved_parameters(values))
    if (other != name && !symbols_.is_parameter(other)) others.push_back(other);
  isl::set known = values.intersect(symbols_.facts_about(others));
  isl::set only =
      model::parameters_to_dimensions(model::project_out_parameters(known, others), {name});
  return isl_set_dim_has_lower_bound(only.get(), isl_dim_set, 0) == isl_bool_true &&
         isl_set_dim_has_upper_bound(only.get(), isl_dim_set, 0) == isl_bool_true;
}

}  // namespace gridspan::analysis
