// Parameters and numbers in sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mentions.h"

#include "model/factors.h"
#include "model/launch_values.h"

#include <algorithm>
#include <cstdlib>

namespace gridspan::model {
namespace {

// The arguments, grid and block extents that a parameter is made of.
void add_sources(const Kernel& kernel, const std::string& name, std::set<std::string>& sources) {
  const Parameter* parameter = find_parameter(kernel, name);
  if (parameter == nullptr) return;
  if (!is_derived(*parameter)) {
    sources.insert(name);
    return;
  }
  for (const std::string& factor : parameter->factors) add_sources(kernel, factor, sources);
  if (parameter->kind != Parameter::Kind::expression) return;
  const isl::pw_aff value(kernel.context.ctx(), parameter->expression);
  for (const std::string& part : involved_parameters(value)) add_sources(kernel, part, sources);
}

// Of a dimension of blocks, or of the bounds of one in a part.
void add_extents(const Kernel& kernel, const std::string& name, std::set<std::string>& sources) {
  for (const Dimension& dimension : kernel.dimensions) {
    const Dimension* root = root_of(kernel, dimension.name);
    if (root == nullptr || root->kind != Dimension::Kind::block) continue;
    if (name != part_first(dimension.name) && name != part_last(dimension.name)) continue;
    sources.insert(extent_of(kernel, *root));
    for (const Dimension* at = &dimension; at != nullptr && at != root;
         at = find_dimension(kernel, at->base))
      add_sources(kernel, at->factor, sources);
  }
}

}  // namespace

std::set<long> numbers_beside(const isl::set& set, const std::string& name, long most) {
  std::set<long> numbers;
  const auto note = [&](const isl::val& number) {
    if (!number.is_int() || number.abs().gt(isl::val(set.ctx(), most))) return;
    numbers.insert(std::labs(number.num_si()));
  };
  const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
  if (position < 0) return numbers;
  set.foreach_basic_set([&](const isl::basic_set& piece) {
    for_each_constraint(piece, [&](isl_constraint* constraint) {
      const isl::val factor =
          isl::manage(isl_constraint_get_coefficient_val(constraint, isl_dim_param, position));
      if (factor.is_zero()) return;
      note(factor);
      note(isl::manage(isl_constraint_get_constant_val(constraint)));
    });
  });
  return numbers;
}

std::set<std::string> sources_of(const Kernel& kernel, const std::string& parameter) {
  std::set<std::string> sources;
  add_sources(kernel, parameter, sources);
  add_extents(kernel, parameter, sources);
  return sources;
}

template <class Value>
static std::set<std::string> sources_in(const Kernel& kernel, const Value& value) {
  std::set<std::string> sources;
  for (const std::string& name : involved_parameters(value))
    sources.merge(sources_of(kernel, name));
  return sources;
}

std::set<std::string> sources_of(const Kernel& kernel, const isl::set& image) {
  return sources_in(kernel, image);
}

std::set<std::string> sources_of(const Kernel& kernel, const isl::pw_aff& value) {
  return sources_in(kernel, value);
}

std::string grid_dim(unsigned axis) { return std::string("gridDim_") + axis_letters[axis]; }
std::string block_dim(unsigned axis) { return std::string("blockDim_") + axis_letters[axis]; }

bool uses_axis(const Kernel& kernel, unsigned axis) {
  return std::ranges::any_of(kernel.dimensions, [&](const Dimension& dimension) {
    return dimension.axis == axis &&
           (dimension.kind == Dimension::Kind::block || dimension.kind == Dimension::Kind::thread);
  });
}

}  // namespace gridspan::model
