// Numbers for parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/launch_values.h"

#include "model/factors.h"

namespace gridspan::model {
namespace {

long value_of_expression(const Kernel& kernel, const Parameter& parameter, const Values& values) {
  const isl::ctx context = kernel.context.ctx();
  const isl::pw_aff value(context, parameter.expression);
  Values involved;
  for (const std::string& name : involved_parameters(value)) {
    const auto found = values.find(name);
    if (found != values.end()) involved.insert(*found);
  }
  const isl::pw_aff here = value.intersect_params(fixed(context, involved));
  const isl::val result = isl::manage(isl_pw_aff_max_val(here.copy()));
  return result.is_int() ? result.num_si() : 0;
}

long value_of_product(const Parameter& parameter, const Values& values) {
  long value = 1;
  for (const std::string& factor : parameter.factors) {
    const auto found = values.find(factor);
    value *= found == values.end() ? 1 : found->second;
  }
  return value;
}

long value_of_quotient(const Parameter& parameter, const Values& values) {
  const auto dividend = values.find(parameter.factors.at(0));
  const auto divisor = values.find(parameter.factors.at(1));
  if (dividend == values.end() || divisor == values.end()) return 0;
  if (dividend->second < 0 || divisor->second < 1) return 0;
  return dividend->second / divisor->second;
}

}  // namespace

bool is_derived(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::product ||
         parameter.kind == Parameter::Kind::quotient ||
         parameter.kind == Parameter::Kind::expression;
}

long derived_value(const Kernel& kernel, const Parameter& parameter, const Values& values) {
  switch (parameter.kind) {
    case Parameter::Kind::product:
      return value_of_product(parameter, values);
    case Parameter::Kind::quotient:
      return value_of_quotient(parameter, values);
    default:
      return value_of_expression(kernel, parameter, values);
  }
}

Values with_derived(const Kernel& kernel, Values values) {
  for (const Parameter& parameter : kernel.parameters) {
    if (is_derived(parameter)) values[parameter.name] = derived_value(kernel, parameter, values);
  }
  return values;
}

long product_value(const Kernel& kernel, const std::string& name, long root, const Values& values) {
  const Dimension* dimension = find_dimension(kernel, name);
  if (dimension == nullptr || dimension->kind != Dimension::Kind::product) return root;
  const auto factor = values.find(dimension->factor);
  return (factor == values.end() ? 1 : factor->second) *
         product_value(kernel, dimension->base, root, values);
}

Values with_part(const Kernel& kernel, Values values, const long (&first)[3],
                 const long (&last)[3]) {
  for (const Dimension& dimension : kernel.dimensions) {
    const Dimension* root = root_of(kernel, dimension.name);
    if (root == nullptr || root->kind != Dimension::Kind::block) continue;
    const std::string& name = dimension.name;
    values[part_first(name)] = product_value(kernel, name, first[root->axis], values);
    values[part_last(name)] = product_value(kernel, name, last[root->axis], values);
  }
  return values;
}

isl::set fixed(isl::ctx context, const Values& values) {
  std::string names, text;
  for (const auto& [name, value] : values) {
    names += (names.empty() ? "" : ", ") + name;
    text += (text.empty() ? "" : " and ") + name + " = " + std::to_string(value);
  }
  return isl::set(context, "[" + names + "] -> { : " + (text.empty() ? "true" : text) + " }");
}

isl::set with_values(const isl::set& set, const Values& values) {
  isl::set result = set;
  for (const std::string& name : involved_parameters(set)) {
    const auto value = values.find(name);
    if (value == values.end()) continue;
    const int position = isl_set_find_dim_by_name(result.get(), isl_dim_param, name.c_str());
    isl_val* number = isl_val_int_from_si(set.ctx().get(), value->second);
    result = isl::manage(
        isl_set_fix_val(result.release(), isl_dim_param, static_cast<unsigned>(position), number));
  }
  return result.project_out_all_params();
}

}  // namespace gridspan::model
