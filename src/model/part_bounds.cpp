// Bounds of parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/part_bounds.h"

#include "model/factors.h"
#include "model/facts.h"
#include "model/relations.h"

#include <algorithm>

namespace gridspan::model {

std::string part_first(const std::string& dimension) { return dimension + "_first"; }
std::string part_last(const std::string& dimension) { return dimension + "_last"; }

isl::set part_range(const Kernel& kernel, const Dimension& dimension,
                    const std::vector<std::string>& related) {
  const std::string &z = dimension.name, &d = dimension.base;
  const std::string first = part_first(z), last = part_last(z);
  isl::set range = between(kernel, dimension, first, last);
  if (dimension.kind == Dimension::Kind::product && std::ranges::count(related, d) != 0 &&
      is_natural(kernel, z)) {
    // P*(b - b_first) >= b - b_first, and at the other end.
    range = range.intersect(
        condition(kernel.context.ctx(), {z, d, first, last, part_first(d), part_last(d)},
                  z + " - " + first + " >= " + d + " - " + part_first(d) + " and " + last + " - " +
                      z + " >= " + part_last(d) + " - " + d));
  }
  return range;
}

isl::set part_facts(const Kernel& kernel, const std::vector<std::string>& dimensions) {
  const isl::set facts = instance_facts(kernel, dimensions);
  isl::set first = facts, last = facts;
  for (const std::string& name : dimensions) {
    first = rename_parameter(first, name, part_first(name));
    last = rename_parameter(last, name, part_last(name));
  }
  isl::set all = first.intersect(last);
  for (const std::string& name : dimensions) {
    if (!is_natural(kernel, name)) continue;
    const std::string length = part_last(name) + " - " + part_first(name);
    all = all.intersect(
        condition(kernel.context.ctx(), {part_first(name), part_last(name)}, length + " >= 0"));
    const std::string base = find_dimension(kernel, name)->base;
    if (std::ranges::count(dimensions, base) == 0) continue;
    all = all.intersect(
        condition(kernel.context.ctx(),
                  {part_first(name), part_last(name), part_first(base), part_last(base)},
                  length + " >= " + part_last(base) + " - " + part_first(base)));
  }
  return all;
}

}  // namespace gridspan::model
