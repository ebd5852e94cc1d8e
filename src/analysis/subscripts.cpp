// Taking offsets apart, and which subscripts have ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/subscripts.h"

#include <algorithm>

namespace gridspan::analysis {
namespace {

/// Is it a product of a size and something that varies?
bool has_extent(const std::string& name, const Symbols& symbols) {
  if (symbols.is_parameter(name)) return false;
  const Monomial& atoms = symbols[name].monomial;
  return atoms.size() > 1 && std::ranges::any_of(atoms, [&](auto& atom) {
           return symbols.is_parameter(atom) && !is_launch_parameter(atom);
         });
}

}  // namespace

std::vector<isl::aff> split(const Offset& offset, const Strides& strides, Symbols& symbols) {
  std::vector<isl::pw_aff> sums(strides.size(), symbols.constant(0));
  isl::aff rest = offset.value;
  for (const Term& term : offset.terms) {
    for (std::size_t j = 0; j + 1 < strides.size(); ++j) {
      std::optional<Monomial> left = quotient(term.extents, strides[j].product);
      if (!left || term.coefficient % strides[j].number != 0) continue;
      Monomial atoms = *left;
      atoms.insert(atoms.end(), term.rest.begin(), term.rest.end());
      isl::pw_aff symbol =
          atoms.empty() ? symbols.constant(1) : symbols.value(symbols.product(atoms));
      sums[j] = sums[j].add(
          symbol.scale(isl::val(symbols.context(), term.coefficient / strides[j].number)));
      int position = isl_aff_find_dim_by_name(rest.get(), isl_dim_param, term.symbol.c_str());
      rest = isl::manage(isl_aff_set_coefficient_si(rest.release(), isl_dim_param, position, 0));
      break;
    }
  }
  // The constant belongs to the strides that are numbers.
  long constant = rest.constant_val().is_int() ? rest.constant_val().num_si() : 0;
  for (std::size_t j = 0; j + 1 < strides.size(); ++j) {
    if (!strides[j].product.empty()) continue;
    long steps = constant >= 0 ? constant / strides[j].number
                               : -((-constant + strides[j].number - 1) / strides[j].number);
    sums[j] = sums[j].add_constant(steps);
    constant -= steps * strides[j].number;
  }
  if (rest.constant_val().is_int()) {
    rest = isl::manage(isl_aff_set_constant_si(rest.release(), static_cast<int>(constant)));
  }
  std::vector<isl::aff> result;
  for (std::size_t j = 0; j + 1 < strides.size(); ++j) result.push_back(sums[j].as_aff());
  result.push_back(rest);
  return result;
}

std::vector<isl::pw_aff> extents_of(const Strides& strides, Symbols& symbols) {
  std::vector<isl::pw_aff> result;
  for (std::size_t j = 1; j < strides.size(); ++j) {
    Monomial left = *quotient(strides[j - 1].product, strides[j].product);
    isl::pw_aff extent = left.empty() ? symbols.constant(1) : symbols.value(symbols.product(left));
    result.push_back(
        extent.scale(isl::val(symbols.context(), strides[j - 1].number / strides[j].number)));
  }
  return result;
}

bool lacks_bounds(const isl::aff& subscript, const isl::set& domain, const Symbols& symbols) {
  std::vector<std::string> involved = model::involved_parameters(isl::pw_aff(subscript));
  if (std::ranges::none_of(involved, [&](auto& name) { return has_extent(name, symbols); }))
    return false;
  isl::set values = domain.intersect(isl::pw_aff(subscript).bind("value_"));
  std::vector<std::string> others;
  for (const std::string& name : model::involved_parameters(values))
    if (name != "value_" && !symbols.is_parameter(name)) others.push_back(name);
  values =
      model::parameters_to_dimensions(model::project_out_parameters(values, others), {"value_"});
  return isl_set_dim_has_lower_bound(values.get(), isl_dim_set, 0) != isl_bool_true ||
         isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) != isl_bool_true;
}

isl::set counter_bounds(const std::vector<std::string>& names, const isl::set& domain,
                        const Symbols& symbols) {
  isl::set bounds = symbols.universe();
  for (const std::string& name : names) {
    const model::Dimension* product = symbols.product_dimension(name);
    if (!product || !symbols.is_counter(product->base)) continue;
    if (!std::ranges::all_of(symbols[product->factor].monomial, is_launch_parameter)) continue;
    isl::set counter = model::parameters_to_dimensions(domain, {product->base});
    isl::val most = isl::manage(isl_set_dim_max_val(counter.copy(), 0));
    if (most.is_int())
      bounds =
          bounds.intersect(symbols.value(name).le_set(symbols.value(product->factor).scale(most)));
  }
  return bounds;
}

}  // namespace gridspan::analysis
