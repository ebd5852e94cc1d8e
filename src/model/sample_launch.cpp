// A plausible launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/sample_launch.h"

#include "model/factors.h"

#include <algorithm>

namespace gridspan::model {
namespace {

constexpr long blocks = 64, threads = 16;

long wanted(const Kernel& kernel, const Parameter& parameter) {
  if (parameter.kind == Parameter::Kind::argument) return blocks * threads;
  const bool used = std::ranges::any_of(kernel.dimensions, [&](const Dimension& dimension) {
    return dimension.axis == parameter.axis &&
           (dimension.kind == Dimension::Kind::block || dimension.kind == Dimension::Kind::thread);
  });
  if (!used) return 1;
  return parameter.kind == Parameter::Kind::grid_dim ? blocks : threads;
}

// Some value of `name` in `values`, the wanted one if possible.
long choose(const isl::set& values, const std::string& name, long preferred) {
  const isl::set line = parameters_to_dimensions(values, {name});
  isl::set anywhere = line.project_out_all_params();
  const auto last = static_cast<unsigned>(isl_set_dim(anywhere.get(), isl_dim_set)) - 1;
  const isl::set hit =
      isl::manage(isl_set_fix_si(anywhere.copy(), isl_dim_set, last, static_cast<int>(preferred)));
  if (!hit.is_empty() || anywhere.is_empty()) return preferred;
  const isl::point point = anywhere.sample_point();
  return isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, static_cast<int>(last)))
      .num_si();
}

long value_of_expression(const Kernel& kernel, const Parameter& parameter, const Values& launch) {
  const isl::ctx context = kernel.context.ctx();
  const isl::pw_aff value(context, parameter.expression);
  const isl::pw_aff here = value.intersect_params(fixed(context, launch));
  const isl::val result = isl::manage(isl_pw_aff_max_val(here.copy()));
  return result.is_int() ? result.num_si() : 0;
}

long value_of_product(const Parameter& parameter, const Values& launch) {
  long value = 1;
  for (const std::string& factor : parameter.factors) {
    const auto found = launch.find(factor);
    value *= found == launch.end() ? 1 : found->second;
  }
  return value;
}

bool is_derived(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::product ||
         parameter.kind == Parameter::Kind::expression;
}

long derived_value(const Kernel& kernel, const Parameter& parameter, const Values& launch) {
  return parameter.kind == Parameter::Kind::product
             ? value_of_product(parameter, launch)
             : value_of_expression(kernel, parameter, launch);
}

}  // namespace

isl::set fixed(isl::ctx context, const Values& values) {
  std::string names, text;
  for (const auto& [name, value] : values) {
    names += (names.empty() ? "" : ", ") + name;
    text += (text.empty() ? "" : " and ") + name + " = " + std::to_string(value);
  }
  return isl::set(context, "[" + names + "] -> { : " + (text.empty() ? "true" : text) + " }");
}

Values sample_launch(const Kernel& kernel) {
  Values launch;
  const isl::ctx context = kernel.context.ctx();
  for (const Parameter& parameter : kernel.parameters) {
    if (is_derived(parameter)) {
      launch[parameter.name] = derived_value(kernel, parameter, launch);
    } else {
      launch[parameter.name] = choose(kernel.context.intersect(fixed(context, launch)),
                                      parameter.name, wanted(kernel, parameter));
    }
  }
  return launch;
}

Values changed(const Kernel& kernel, Values launch, const std::string& name, long change) {
  launch[name] += change;
  for (const Parameter& parameter : kernel.parameters) {
    if (is_derived(parameter)) launch[parameter.name] = derived_value(kernel, parameter, launch);
  }
  return launch;
}

long product_value(const Kernel& kernel, const std::string& name, long root, const Values& launch) {
  const Dimension* dimension = find_dimension(kernel, name);
  if (dimension == nullptr || dimension->kind != Dimension::Kind::product) return root;
  const auto factor = launch.find(dimension->factor);
  return (factor == launch.end() ? 1 : factor->second) *
         product_value(kernel, dimension->base, root, launch);
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
