// What holds at launches, and samples of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/symbols.h"

#include "model/facts.h"

#include <algorithm>

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

/// A product of extents (>= 1) and quotients (>= 0) is not negative, and where there is but one
/// quotient, no less than that.
isl::set Symbols::least(const model::Parameter& product) const {
  using Kind = model::Parameter::Kind;
  std::vector<std::string> quotients;
  for (const std::string& factor : product.factors) {
    auto found = std::ranges::find(kernel_.parameters, factor, &model::Parameter::name);
    bool is_extent = found->kind == Kind::grid_dim || found->kind == Kind::block_dim;
    if (!is_extent && found->kind != Kind::quotient) return universe();
    if (!is_extent) quotients.push_back(factor);
  }
  isl::pw_aff least = quotients.size() == 1 ? value(quotients[0]) : constant(0);
  return value(product.name).ge_set(least);
}

/// Adds the bounds of products made since the last time.
void Symbols::bound_products() const {
  for (; bounded_ < kernel_.parameters.size(); ++bounded_) {
    const model::Parameter& parameter = kernel_.parameters[bounded_];
    if (parameter.kind != model::Parameter::Kind::product) continue;
    kernel_.context = kernel_.context.intersect(least(parameter));
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

bool Symbols::never(const isl::set& happens) const {
  isl::set full = with_definitions(happens);
  full = full.intersect(facts_about(model::involved_parameters(full)));
  return full.intersect(launch_facts(full)).is_empty();
}

/// One launch, as a point; everything where its numbers are too large.
isl::set Symbols::launch(const Extents& extents,
                         const std::function<long(const model::Parameter&)>& argument) const {
  // What sizes are divided by is small: parts of nothing are not ordinary.
  constexpr long parts = 3;
  std::set<std::string> divisors;
  for (const model::Parameter& parameter : kernel_.parameters)
    if (parameter.kind == model::Parameter::Kind::quotient) divisors.insert(parameter.factors[1]);
  isl::set point = universe();
  std::map<std::string, long> values;
  for (const model::Parameter& parameter : kernel_.parameters) {
    long number = 1;
    switch (parameter.kind) {
      case model::Parameter::Kind::grid_dim:
        number = extents.grid[parameter.axis];
        break;
      case model::Parameter::Kind::block_dim:
        number = extents.block[parameter.axis];
        break;
      case model::Parameter::Kind::argument:
        number = parameter.bytes == 1                ? 1
                 : divisors.contains(parameter.name) ? parts
                                                     : argument(parameter);
        break;
      case model::Parameter::Kind::product:
        for (const std::string& factor : parameter.factors)
          if (__builtin_mul_overflow(number, values[factor], &number)) return universe();
        break;
      case model::Parameter::Kind::quotient:
        number = values[parameter.factors[0]] < 0 || values[parameter.factors[1]] < 1
                     ? 0
                     : values[parameter.factors[0]] / values[parameter.factors[1]];
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

/// A launch as programs make them, to tell which of several conditions is the one meant to hold.
/// Arguments are all different and fall or, with a negative `extent`, rise from |extent|.
isl::set Symbols::ordinary_launch(long extent) const {
  const bool is_small = std::labs(extent) < 1000;
  const long small_x = counts_warps() ? 32 : 16;
  const Extents extents{{64, 32, 4},
                        {is_small ? small_x : 256, is_small ? 8 : 4, is_small ? 2 : 1}};
  return launch(extents, [&](const model::Parameter& parameter) {
    long step = parameter.argument % 12 + parameter.offset % 7;
    return std::max(1L, std::labs(extent) - extent / 16 * step);
  });
}

/// Every argument is what the threads along each axis come to: no condition that compares the two
/// should fail for want of one more. `tile`: elements along an axis of a block that has so many
/// whatever its shape; 0: those of its threads. Grids of such blocks cover somewhat more.
const isl::set& Symbols::tiled_launch(const std::array<long, 3>& tile) const {
  sample_launches();  // forgets what is out of date
  if (const auto known = tiled_.find(tile); known != tiled_.end()) return known->second;
  constexpr long size = 1024;
  long argument = size;
  Extents extents = {{}, {16, 16, 1}};
  if (counts_warps()) extents = {{}, {32, 8, 1}};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (tile[axis] > 0) extents.block[axis] = tile[axis], argument = size - 1;
    extents.grid[axis] = (size + extents.block[axis] - 1) / extents.block[axis];
  }
  const isl::set made = launch(extents, [&](const model::Parameter&) { return argument; });
  return tiled_.emplace(tile, made).first->second;
}

const Symbols::Samples& Symbols::sample_launches() const {
  constexpr long small = 49, large = 1'000'003;
  if (sampled_ != kernel_.parameters.size()) {
    Samples made;  // all or nothing: a limit may be reached on the way
    made.launches = {ordinary_launch(large), ordinary_launch(-large), ordinary_launch(small),
                     ordinary_launch(-small)};
    made.large = made.launches[0].unite(made.launches[1]);
    made.modest = made.launches[2].unite(made.launches[3]);
    made.any = made.large.unite(made.modest);
    samples_ = std::move(made);
    sampled_ = kernel_.parameters.size();
    tiled_.clear();
    avoided_.clear();  // answers depend on what is known of the parameters
  }
  return samples_;
}

}  // namespace gridspan::analysis
