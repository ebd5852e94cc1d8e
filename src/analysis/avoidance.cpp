// Which conditions on launches to rely on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/symbols.h"

#include <algorithm>

namespace gridspan::analysis {
namespace {

bool is_plainly_equal(const isl::set& a, const isl::set& b) {
  return isl_set_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}

/// What takes longer to say has too many cases to be meant by anyone.
constexpr unsigned long complement_operations = 40'000;

isl::set set_of(isl_constraint* constraint) {
  isl_basic_set* alone = isl_basic_set_from_constraint(isl_constraint_copy(constraint));
  return isl::manage(isl_set_from_basic_set(alone));
}

bool is_of_launch(const std::string& name) { return name.find("Dim_") != std::string::npos; }

/// Elements of a block along each axis, as far as the condition counts blocks by a number.
std::array<long, 3> tile_in(const isl::set& condition) {
  static constexpr const char* grid[] = {"gridDim_x", "gridDim_y", "gridDim_z"};
  constexpr long most = 1024;
  std::array<long, 3> tile = {};
  condition.foreach_basic_set([&](const isl::basic_set& part) {
    model::for_each_constraint(part, [&](isl_constraint* constraint) {
      for (unsigned axis = 0; axis < 3; ++axis) {
        const int place = isl_set_find_dim_by_name(condition.get(), isl_dim_param, grid[axis]);
        if (place < 0) continue;
        const isl::val factor =
            isl::manage(isl_constraint_get_coefficient_val(constraint, isl_dim_param, place)).abs();
        if (factor.is_int() && factor.gt(1) && factor.le(most))
          tile[axis] = std::max(tile[axis], factor.num_si());
      }
    });
  });
  return tile;
}

/// Which constraint of a case to negate: one whose negation holds at ordinary launches, rather one
/// about sizes than about the shape of the grid, which programs choose larger than need be.
struct Choice {
  const isl::set &large, &modest, &happens;
  const std::function<bool(const isl::set&)>& fails_when_tiled;
  model::OrNull<isl::set> best, second;  // either will do
  int rank = 0, second_rank = 0;
  bool is_doubtful = false;  // the best

  static constexpr int natural = 4;    // at least: holds at large and small launches
  static constexpr int sometimes = 2;  // at least: holds at some of them

  void consider(isl_constraint* constraint) {
    isl::set negated = set_of(constraint).complement();
    bool at_large = !negated.intersect(large).is_empty();
    bool at_modest = !negated.intersect(modest).is_empty();
    bool about_sizes = std::ranges::none_of(model::involved_parameters(negated), is_of_launch);
    bool doubtful = fails_when_tiled(negated);
    int its_rank = 2 * (at_large + at_modest) + (about_sizes ? 1 : 0) - (doubtful ? 2 : 0);
    const bool is_best = best.is_null() || its_rank > rank;
    if (!is_best && !second.is_null() && its_rank <= second_rank) return;
    if (negated.intersect(happens).is_empty()) return;
    if (is_best) {
      second = best;
      second_rank = rank;
      best = negated;
      rank = its_rank;
      is_doubtful = doubtful;
    } else {
      second = negated;
      second_rank = its_rank;
    }
  }
};

/// Where sizes are numbers in the code, arguments that say how much of a row is in use are no
/// larger, however small these are: a constraint that negated bounds an argument by a number.
struct SizeBound {
  const isl::set& happens;
  model::OrNull<isl::set> negated;

  void consider(isl_constraint* constraint) {
    const isl::set holds = set_of(constraint);
    const std::vector<std::string> names = model::involved_parameters(holds);
    if (!negated.is_null() || names.size() != 1 || is_of_launch(names[0])) return;
    const isl::set rest = holds.complement();
    const isl::set values = model::parameters_to_dimensions(rest, names);
    if (isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) != isl_bool_true) return;
    if (!rest.intersect(happens).is_empty()) negated = rest;
  }
};

/// Does some large and some modest launch keep out of each case of `broken`? If not, no constraint
/// of it is natural to negate. Quick.
bool may_be_natural(const isl::set& broken, const isl::set& large, const isl::set& modest) {
  bool may = true;
  broken.foreach_basic_set([&](const isl::basic_set& part) {
    const isl::set one(part);
    may = may && !large.is_subset(one) && !modest.is_subset(one);
  });
  return may;
}

}  // namespace

/// Does it compare sizes with the number of threads, and fail where they are equal?
bool Symbols::fails_when_tiled(const isl::set& condition) const {
  const std::vector<std::string> names = model::involved_parameters(condition);
  const bool of_launch = std::ranges::any_of(names, is_of_launch);
  const bool of_sizes = !std::ranges::all_of(names, is_of_launch);
  return of_launch && of_sizes && condition.intersect(tiled_launch(tile_in(condition))).is_empty();
}

bool Symbols::may_avoid(const isl::set& broken) const {
  return std::ranges::any_of(sample_launches().launches, [&](const isl::set& launch) {
    return broken.intersect(launch).is_empty();
  });
}

Symbols::Avoidance Symbols::avoiding(const isl::set& broken, const isl::set& happens,
                                     bool only_naturally) const {
  sample_launches();  // forgets what is out of date
  isl::set when = over_parameters(happens);
  for (const Avoided& known : avoided_)
    if (known.only_naturally == only_naturally && is_plainly_equal(known.broken, broken) &&
        is_plainly_equal(known.when, when))
      return known.how;
  Avoidance how = naturally_avoiding(broken, when, only_naturally);
  if (how.condition.is_null() && !only_naturally) how = avoiding_at_samples(broken);
  avoided_.push_back({broken, when, only_naturally, how});
  return how;
}

/// One constraint of each case of `broken`, negated: together they keep out of all cases.
Symbols::Avoidance Symbols::naturally_avoiding(const isl::set& broken, const isl::set& when,
                                               bool only_naturally) const {
  isl::set facts = launch_facts(broken);
  const Samples& samples = sample_launches();
  if (only_naturally && !may_be_natural(broken, samples.large, samples.modest)) return {};
  const std::function<bool(const isl::set&)> fails = [this](const isl::set& condition) {
    return fails_when_tiled(condition);
  };
  isl::set simple = universe();
  bool found_all = true, natural = true, doubtful = false;
  tidy(broken.gist(facts)).foreach_basic_set([&](const isl::basic_set& part) {
    if (!found_all) return;
    Choice choice{samples.large, samples.modest, when, fails, {}, {}, 0, 0, false};
    model::for_each_constraint(part, [&](isl_constraint* each) { choice.consider(each); });
    natural = natural && choice.rank >= Choice::natural;
    doubtful = doubtful || choice.is_doubtful;
    const int least = only_naturally ? Choice::natural : Choice::sometimes;
    if (choice.best.is_null() || choice.rank < least) {
      found_all = false;
      return;
    }
    // The more ways out, the fewer launches are refused; but natural ones are enough.
    bool more = choice.rank < Choice::natural && !choice.second.is_null();
    simple = simple.intersect(more ? choice.best.unite(choice.second) : choice.best);
  });
  if (!found_all || simple.intersect(facts).is_empty()) return {};
  return {tidy(simple), natural, doubtful};
}

Symbols::Avoidance Symbols::avoiding_large_sizes(const isl::set& broken,
                                                 const isl::set& happens) const {
  const isl::set facts = launch_facts(broken), when = over_parameters(happens);
  isl::set condition = universe();
  bool found_all = true;
  tidy(broken.gist(facts)).foreach_basic_set([&](const isl::basic_set& part) {
    SizeBound bound{when, {}};
    if (found_all)
      model::for_each_constraint(part, [&](isl_constraint* each) { bound.consider(each); });
    found_all = found_all && !bound.negated.is_null();
    if (found_all) condition = condition.intersect(bound.negated);
  });
  if (!found_all || condition.intersect(when).is_empty()) return {};
  return {tidy(condition), false, false};
}

Symbols::Avoidance Symbols::avoiding_at_samples(const isl::set& broken) const {
  isl::set samples = sample_launches().any.intersect(launch_facts(broken));
  return samples.is_subset(broken) ? Avoidance{} : avoiding_somehow(broken);
}

Symbols::Avoidance Symbols::avoiding_somehow(const isl::set& broken) const {
  isl::set facts = launch_facts(broken);
  model::OrNull<isl::set> condition;
  const bool done = model::within_limit(context_, complement_operations, [&] {
    isl::set fine = facts.subtract(broken);
    if (!fine.is_empty()) condition = fine.coalesce().gist(facts);
  });
  if (!done || condition.is_null()) return {};
  return {condition, false, fails_when_tiled(condition)};
}

}  // namespace gridspan::analysis
