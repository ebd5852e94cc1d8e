// What holds at launches, and which conditions on launches to rely on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/symbols.h"

#include <algorithm>
#include "model/facts.h"

namespace gridspan::analysis {

isl::set tidy(const isl::set& set) { return set.n_basic_set() > 1 ? set.coalesce() : set; }

isl::set Symbols::facts_about(const std::vector<std::string>& names) const {
  std::set<std::string> dimensions;
  for (const std::string& name : names) {
    auto found = symbols_.find(name);
    if (found != symbols_.end() && found->second.kind == Symbol::Kind::dimension)
      dimensions.insert(name);
  }
  std::pair key{std::vector<std::string>(dimensions.begin(), dimensions.end()),
                kernel_.parameters.size()};
  auto found = facts_.find(key);
  if (found == facts_.end())
    found = facts_.emplace(key, model::instance_facts(kernel_, key.first)).first;
  return found->second;
}

/// The largest absolute value of a product parameter, if below 2^62.
std::optional<isl::val> Symbols::largest(const model::Parameter& product) const {
  isl::val most = isl::val::one(context_), threads = most;
  for (const std::string& factor : product.factors)
    for (const model::Parameter& parameter : kernel_.parameters) {
      if (parameter.name != factor) continue;
      switch (parameter.kind) {
        case model::Parameter::Kind::grid_dim:
          most = most.mul(parameter.axis == 0 ? 2147483647L : 65535L);
          break;
        case model::Parameter::Kind::block_dim:
          threads = threads.mul(parameter.axis == 2 ? 64L : 1024L);
          break;
        case model::Parameter::Kind::argument:
          most = most.mul(isl::val(context_, 8L * parameter.bytes - 1).pow2());
          break;
        default:
          return std::nullopt;
      }
    }
  bool distinct =
      std::set(product.factors.begin(), product.factors.end()).size() == product.factors.size();
  if (distinct && threads.gt(1024L)) threads = isl::val(context_, 1024L);  // of one block
  most = most.mul(threads);
  if (most.gt(isl::val(context_, 62L).pow2())) return std::nullopt;
  return most;
}

/// Adds the bounds of products made since the last time.
void Symbols::bound_products() const {
  for (; bounded_ < kernel_.parameters.size(); ++bounded_) {
    const model::Parameter& parameter = kernel_.parameters[bounded_];
    if (parameter.kind != model::Parameter::Kind::product) continue;
    if (std::optional<isl::val> most = largest(parameter))
      kernel_.context = kernel_.context.intersect(
          value(parameter.name)
              .le_set(constant(0).add_constant(*most))
              .intersect(value(parameter.name).ge_set(constant(0).add_constant(most->neg()))));
  }
}

isl::set Symbols::launch_facts(const isl::set& set) const {
  bound_products();
  return model::relevant_context(kernel_, model::involved_parameters(set));
}

/// A launch as programs make them, to tell which of several conditions is the one meant to hold.
/// Arguments are all different and fall or, with a negative `extent`, rise from |extent|.
isl::set Symbols::ordinary_launch(long extent) const {
  const bool is_small = extent > 0 && extent < 1000;
  const long grids[] = {64, 32, 4},
             blocks[] = {is_small ? 16 : 256, is_small ? 8 : 4, is_small ? 2 : 1};
  isl::set point = universe();
  std::map<std::string, long> values;
  for (const model::Parameter& parameter : kernel_.parameters) {
    long number = 1;
    switch (parameter.kind) {
      case model::Parameter::Kind::grid_dim:
        number = grids[parameter.axis];
        break;
      case model::Parameter::Kind::block_dim:
        number = blocks[parameter.axis];
        break;
      case model::Parameter::Kind::argument:
        number =
            parameter.bytes == 1
                ? 1
                : std::max(1L, std::labs(extent) -
                                   extent / 16 * (parameter.argument % 12 + parameter.offset % 7));
        break;
      case model::Parameter::Kind::product:
        for (const std::string& factor : parameter.factors)
          if (__builtin_mul_overflow(number, values[factor], &number)) return universe();
        break;
      case model::Parameter::Kind::expression: {
        isl::pw_aff value(context_, parameter.expression);
        isl::set at = value.bind(parameter.name).intersect(point);
        isl::val only = isl::manage(
            isl_set_plain_get_val_if_fixed(at.get(), isl_dim_param,
                                           static_cast<unsigned>(isl_set_find_dim_by_name(
                                               at.get(), isl_dim_param, parameter.name.c_str()))));
        if (!only.is_int()) return universe();
        number = only.num_si();
        break;
      }
    }
    values[parameter.name] = number;
    point = point.intersect(value(parameter.name).eq_set(constant(number)));
  }
  return point;
}

const Symbols::Samples& Symbols::sample_launches() const {
  constexpr long small = 49, large = 1'000'003;
  if (sampled_ != kernel_.parameters.size()) {
    sampled_ = kernel_.parameters.size();
    samples_.modest = ordinary_launch(small);
    samples_.large = ordinary_launch(large).unite(ordinary_launch(-large));
    samples_.any = samples_.large.unite(samples_.modest);
  }
  return samples_;
}

namespace {

/// Which constraint of a case to negate: one whose negation holds at ordinary launches, rather one
/// about sizes than about the shape of the grid, which programs choose larger than need be.
struct Choice {
  isl::set large, modest, happens;
  model::OrNull<isl::set> best, second;  // either will do
  int rank = 0, second_rank = 0;

  static constexpr int natural = 4;    // at least: holds at large and small launches
  static constexpr int sometimes = 2;  // at least: holds at some of them

  static isl_stat consider(isl_constraint* constraint, void* user) {
    auto& to = *static_cast<Choice*>(user);
    isl::set holds = isl::manage(isl_set_from_basic_set(isl_basic_set_from_constraint(constraint)));
    isl::set negated = holds.complement();
    bool at_large = !negated.intersect(to.large).is_empty();
    bool at_modest = !negated.intersect(to.modest).is_empty();
    if (negated.intersect(to.happens).is_empty()) return isl_stat_ok;
    bool about_sizes = true;
    for (const std::string& name : model::involved_parameters(negated))
      if (name.find("Dim_") != std::string::npos) about_sizes = false;
    int rank = 2 * (at_large + at_modest) + (about_sizes ? 1 : 0);
    if (to.best.is_null() || rank > to.rank) {
      to.second = to.best;
      to.second_rank = to.rank;
      to.best = negated;
      to.rank = rank;
    } else if (to.second.is_null() || rank > to.second_rank) {
      to.second = negated;
      to.second_rank = rank;
    }
    return isl_stat_ok;
  }
};

}  // namespace

Symbols::Avoidance Symbols::avoiding(const isl::set& broken, const isl::set& happens) const {
  isl::set facts = launch_facts(broken);
  const Samples& samples = sample_launches();
  isl::set when = over_parameters(happens);
  // One constraint of each case of `broken`, negated: together they keep out of all cases.
  isl::set simple = universe();
  bool found_all = true, natural = true;
  tidy(broken.gist(facts)).foreach_basic_set([&](isl::basic_set part) {
    if (!found_all) return;
    Choice choice{samples.large, samples.modest, when, {}, {}, 0, 0};
    isl_basic_set_foreach_constraint(part.get(), Choice::consider, &choice);
    natural = natural && choice.rank >= Choice::natural;
    if (choice.best.is_null() || choice.rank < Choice::sometimes) {
      found_all = false;
      return;
    }
    // The more ways out, the fewer launches are refused; but natural ones are enough.
    bool more = choice.rank < Choice::natural && !choice.second.is_null();
    simple = simple.intersect(more ? choice.best.unite(choice.second) : choice.best);
  });
  if (found_all && !simple.intersect(facts).is_empty()) return {tidy(simple), natural};
  isl::set fine = facts.subtract(broken);
  if (fine.is_empty() || fine.intersect(samples.any).is_empty()) return {};
  return {isl::set(fine.coalesce().gist(facts)), false};
}

}  // namespace gridspan::analysis
