// Pairs of instances in isl: the second's dimensions carry primes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What relates products of both (pair_facts) has three cases for each product. They are added one
// product after the other, the split axis first, and most questions end there: nothing in common.
#include "model/pairs.h"

#include "model/factors.h"
#include "model/facts.h"
#include "model/relations.h"

#include <algorithm>

namespace gridspan::model {
namespace {

using NameList = std::vector<std::string>;

std::string primed(const std::string& name) { return name + "'"; }

// The axis' block index; kernels that do not use it need not know it.
std::string block_index(const Kernel& kernel, unsigned axis) {
  for (const Dimension& dimension : kernel.dimensions) {
    if (dimension.kind == Dimension::Kind::block && dimension.axis == axis) return dimension.name;
  }
  return std::string("blockIdx_") + "xyz"[axis];
}

// What occurs in `set` and is no launch parameter.
NameList all_dimensions(const isl::set& set, const Kernel& kernel, unsigned axis) {
  NameList names = involved_parameters(set);
  std::erase_if(names, [&](std::string name) {
    while (name.ends_with('\'')) name.pop_back();
    return find_dimension(kernel, name) == nullptr && name != block_index(kernel, axis);
  });
  return names;
}

std::string grid_extent(const Kernel& kernel, unsigned axis) {
  Dimension block;
  block.kind = Dimension::Kind::block;
  block.axis = axis;
  return extent_of(kernel, block);
}

isl::set order_of_blocks(const Kernel& kernel, const Apart& apart) {
  const std::string b = block_index(kernel, apart.axis), c = primed(b);
  const std::string extent = grid_extent(kernel, apart.axis);
  std::string text = "0 <= " + b + " < " + c + " < " + extent;
  if (apart.granularity > 1) {
    const std::string g = std::to_string(apart.granularity);
    text += " and floor(" + b + "/" + g + ") < floor(" + c + "/" + g + ")";
  }
  return condition(kernel.context.ctx(), {b, c, extent}, text);
}

isl::set order_of_threads(const Kernel& kernel, unsigned axis) {
  const std::string t = std::string("threadIdx_") + "xyz"[axis], u = primed(t);
  const std::string extent = std::string("blockDim_") + "xyz"[axis];
  NameList names = {t, u, extent};
  std::string text = "0 <= " + t + " < " + u + " < " + extent;
  for (const Dimension& dimension : kernel.dimensions) {
    if (dimension.kind != Dimension::Kind::block) continue;
    names.push_back(dimension.name);
    names.push_back(primed(dimension.name));
    text += " and " + dimension.name + " = " + primed(dimension.name);
  }
  return condition(kernel.context.ctx(), names, text);
}

isl::set order(const Kernel& kernel, const Apart& apart) {
  return apart.of_threads ? order_of_threads(kernel, apart.axis) : order_of_blocks(kernel, apart);
}

// `set` with the dimensions `gone` projected out; a little larger if that is simpler.
isl::set over_launches(const isl::set& set, const NameList& gone) {
  isl_set* launches = project_out_parameters(set, gone).release();
  launches = isl_set_drop_unused_params(isl_set_remove_divs(launches));
  return isl::manage(launches).coalesce();
}

// Products that both have, those of the split axis first.
NameList common_products(const Kernel& kernel, const NameList& first, const NameList& second,
                         unsigned axis) {
  NameList products, others;
  for (const std::string& name : first) {
    if (find_dimension(kernel, name)->kind != Dimension::Kind::product) continue;
    if (std::ranges::count(second, name) == 0) continue;
    const Dimension* root = root_of(kernel, name);
    const bool split = root->kind == Dimension::Kind::block && root->axis == axis;
    (split ? products : others).push_back(name);
  }
  std::ranges::copy(others, std::back_inserter(products));
  return products;
}

}  // namespace

// The elements an instance touches, with all that holds of its dimensions.
const Pairs::Sides& Pairs::sides(const Access& access) {
  const Instance& instance = instances_.of(access);
  const auto found = sides_.find(instance.shape);
  if (found != sides_.end()) return found->second;
  const isl::set facts = instance_facts(kernel_, instance.involved);
  Sides sides{instance.touched.intersect_params(facts), {}};
  sides.higher = sides.lower;
  for (const std::string& name : instance.involved) {
    sides.higher = rename_parameter(sides.higher, name, primed(name));
  }
  return sides_.emplace(instance.shape, std::move(sides)).first->second;
}

const isl::set& Pairs::order_of(const Apart& apart) {
  const auto found = orders_.find(apart);
  if (found != orders_.end()) return found->second;
  return orders_.emplace(apart, order(kernel_, apart)).first->second;
}

const isl::set& Pairs::product_facts(const std::string& product) {
  const auto found = products_.find(product);
  if (found != products_.end()) return found->second;
  return products_.emplace(product, pair_facts(kernel_, multiples(kernel_, product))).first->second;
}

isl::set Pairs::in_order(const Access& lower, const Access& higher, const Apart& apart) {
  isl::set both = sides(lower).lower.intersect(sides(higher).higher).params();
  both = both.intersect(order_of(apart));
  both = both.intersect(relevant_context(kernel_, involved_parameters(both)));
  for (const std::string& product : common_products(kernel_, instances_.of(lower).involved,
                                                    instances_.of(higher).involved, apart.axis)) {
    if (both.is_empty()) break;
    both = both.intersect(product_facts(product));
  }
  if (both.is_empty()) return isl::set::empty(kernel_.context.space());
  return over_launches(both, all_dimensions(both, kernel_, apart.axis));
}

const std::vector<Separator>& Pairs::separators_of(const Access& access) {
  const Instance& instance = instances_.of(access);
  const auto found = separators_.find(instance.shape);
  if (found != separators_.end()) return found->second;
  return separators_.emplace(instance.shape, separators(kernel_, instance.touched)).first->second;
}

bool Pairs::surely_apart(const Access& first, const Access& second, unsigned axis) {
  return tell_apart(separators_of(first), separators_of(second), axis);
}

bool Pairs::depends_on(const Access& access, unsigned axis) {
  return std::ranges::any_of(instances_.of(access).involved, [&](const std::string& name) {
    const Dimension* root = root_of(kernel_, name);
    return root->kind == Dimension::Kind::block && root->axis == axis;
  });
}

isl::set Pairs::common_elements(const Access& first, const Access& second, const Apart& apart) {
  const auto shapes = std::minmax(instances_.of(first).shape, instances_.of(second).shape);
  const Question question{shapes.first, shapes.second, apart};
  const auto known = answers_.find(question);
  if (known != answers_.end()) return known->second;
  return answers_.emplace(question, find_common_elements(first, second, apart)).first->second;
}

isl::set Pairs::find_common_elements(const Access& first, const Access& second,
                                     const Apart& apart) {
  if (!apart.of_threads && surely_apart(first, second, apart.axis))
    return isl::set::empty(kernel_.context.space());
  const bool same = instances_.of(first).shape == instances_.of(second).shape;
  if (!apart.of_threads && same && !depends_on(first, apart.axis)) {
    // Every block does what its neighbours along the axis do.
    const std::string extent = grid_extent(kernel_, apart.axis);
    return happens(first).intersect(condition(kernel_.context.ctx(), {extent},
                                              extent + " > " + std::to_string(apart.granularity)));
  }
  const isl::set up = in_order(first, second, apart);
  return same ? up : up.unite(in_order(second, first, apart)).coalesce();
}

isl::set Pairs::happens(const Access& access) {
  const unsigned shape = instances_.of(access).shape;
  const auto found = happens_.find(shape);
  if (found != happens_.end()) return found->second;
  const isl::set launches = sides(access).lower.params();
  return happens_.emplace(shape, over_launches(launches, all_dimensions(launches, kernel_, 0)))
      .first->second;
}

isl::set launches_with_two_blocks(const Kernel& kernel, unsigned axis, NameList speaking_of) {
  speaking_of.push_back(grid_extent(kernel, axis));
  return relevant_context(kernel, speaking_of)
      .intersect(
          condition(kernel.context.ctx(), {speaking_of.back()}, speaking_of.back() + " >= 2"));
}

}  // namespace gridspan::model
