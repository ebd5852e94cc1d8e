// Relations as sets over parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/relations.h"

#include "model/factors.h"
#include "model/facts.h"

#include <algorithm>
#include <set>

namespace gridspan::model {
namespace {

using NameList = std::vector<std::string>;

constexpr long most_turns = 8;

// The number that `name` equals in all of `piece`, if isl sees one at once.
std::optional<long> fixed_value(const isl::set& piece, const std::string& name) {
  const int position = isl_set_find_dim_by_name(piece.get(), isl_dim_param, name.c_str());
  if (position < 0) return std::nullopt;
  isl_val* value =
      isl_set_plain_get_val_if_fixed(piece.get(), isl_dim_param, static_cast<unsigned>(position));
  const isl::val fixed = isl::manage(value);
  if (!fixed.is_int()) return std::nullopt;
  return fixed.num_si();
}

// The numbers from 0 that the counter takes in the piece, if they are few.
std::optional<long> few_turns(const isl::set& piece, const std::string& counter) {
  const isl::set values =
      parameters_to_dimensions(piece.params(), {counter}).project_out_all_params();
  if (isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) != isl_bool_true)
    return std::nullopt;
  const isl::val last = isl::manage(isl_set_dim_max_val(values.copy(), 0));
  if (!last.is_int() || last.is_neg() || last.ge(isl::val(last.ctx(), most_turns)))
    return std::nullopt;
  return last.num_si() + 1;
}

// A loop of few turns with products of its counter, turn by turn: there they are linear.
std::vector<isl::set> turn_by_turn(const Kernel& kernel, const isl::set& piece,
                                   const NameList& dimensions) {
  for (const std::string& name : dimensions) {
    const Dimension* product = find_dimension(kernel, name);
    if (product == nullptr || product->kind != Dimension::Kind::product) continue;
    const Dimension* counter = find_dimension(kernel, product->base);
    if (counter == nullptr || counter->kind != Dimension::Kind::loop) continue;
    if (!proved_positive(kernel, product->factor)) continue;
    const std::optional<long> turns = few_turns(piece, counter->name);
    if (!turns) continue;
    std::vector<isl::set> all;
    for (long turn = 0; turn < *turns; ++turn) {
      all.push_back(piece.intersect_params(
          condition(piece.ctx(), {counter->name}, counter->name + " = " + std::to_string(turn))));
    }
    return all;
  }
  return {piece};
}

// z = P*d is linear where d, or P, is a number.
isl::set with_linear_products(const Kernel& kernel, isl::set piece, const NameList& dimensions) {
  const bool products = std::ranges::any_of(dimensions, [&](const std::string& name) {
    const Dimension* dimension = find_dimension(kernel, name);
    return dimension != nullptr && dimension->kind == Dimension::Kind::product;
  });
  if (!products) return piece;
  piece = isl::manage(isl_set_detect_equalities(piece.release()));
  const isl::set parameters = piece.params().intersect(kernel.context);
  for (const std::string& name : dimensions) {
    const Dimension* product = find_dimension(kernel, name);
    if (product == nullptr || product->kind != Dimension::Kind::product) continue;
    const auto replace = [&](const std::string& fixed, const std::string& other) {
      const std::optional<long> value = fixed_value(parameters, fixed);
      if (!value) return;
      piece = fix_parameter(piece, name, std::to_string(*value) + " * " + other, {other});
    };
    replace(product->base, product->factor);
    replace(product->factor, product->base);
  }
  return piece;
}

}  // namespace

isl::set condition(isl::ctx context, const NameList& names, const std::string& text) {
  // isl's parser drops primes; until it is done they are spelled out.
  const std::string prime = "__primed";
  const auto spelled = [&](const std::string& given) {
    std::string result;
    for (char c : given) result += c == '\'' ? prime : std::string(1, c);
    return result;
  };
  std::string list;
  for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
    list += (list.empty() ? "" : ", ") + spelled(name);
  }
  isl::set result(context, "[" + list + "] -> { : " + spelled(text) + " }");
  for (const std::string& name : names) {
    if (name.ends_with('\'')) result = rename_parameter(result, spelled(name), name);
  }
  return result;
}

NameList input_names(const isl::map& relation) {
  NameList names;
  const auto count = static_cast<unsigned>(isl_map_dim(relation.get(), isl_dim_in));
  for (unsigned i = 0; i < count; ++i) {
    const char* name = isl_map_get_dim_name(relation.get(), isl_dim_in, i);
    names.emplace_back(name == nullptr ? "" : name);
  }
  return names;
}

isl::set without_facts(const Kernel& kernel, const isl::map& relation) {
  const NameList dimensions = input_names(relation);
  const isl::set facts = dimension_facts(kernel, dimensions);
  const isl::set whole = dimensions_to_parameters(relation).intersect_params(facts).coalesce();
  isl::set result = isl::set::empty(whole.space());
  whole.foreach_basic_set([&](const isl::basic_set& piece) {
    for (const isl::set& part : turn_by_turn(kernel, piece.to_set(), dimensions))
      result = result.unite(with_linear_products(kernel, part, dimensions));
  });
  result = result.gist_params(facts).coalesce();
  return isl::manage(isl_set_drop_unused_params(result.release()));
}

bool is_bounded(const isl::set& image) {
  const auto rank = static_cast<unsigned>(isl_set_dim(image.get(), isl_dim_set));
  for (unsigned i = 0; i < rank; ++i) {
    const isl::set one = isl::manage(isl_set_project_out(
        isl_set_project_out(image.copy(), isl_dim_set, i + 1, rank - i - 1), isl_dim_set, 0, i));
    if (isl_set_dim_has_upper_bound(one.get(), isl_dim_set, 0) != isl_bool_true) return false;
    if (isl_set_dim_has_lower_bound(one.get(), isl_dim_set, 0) != isl_bool_true) return false;
  }
  return true;
}

isl::set within_rows(isl::set image, const std::vector<isl::pw_aff>& extents) {
  for (unsigned i = 0; i < extents.size(); ++i) {
    isl_local_space* space = isl_local_space_from_space(image.space().release());
    const isl::pw_aff subscript =
        isl::manage(isl_pw_aff_from_aff(isl_aff_var_on_domain(space, isl_dim_set, i + 1)));
    const isl::pw_aff extent = extents[i].insert_domain(image.space());
    image =
        image.intersect(subscript.ge_set(subscript.scale(0))).intersect(subscript.lt_set(extent));
  }
  return image;
}

isl::set rename_parameter(isl::set set, const std::string& name, const std::string& other) {
  const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
  if (position < 0) return set;
  return isl::manage(isl_set_set_dim_name(set.release(), isl_dim_param,
                                          static_cast<unsigned>(position), other.c_str()));
}

isl::set fix_parameter(const isl::set& set, const std::string& name, const std::string& value,
                       const NameList& of) {
  NameList names = of;
  names.push_back(name);
  return project_out_parameters(
      set.intersect_params(condition(set.ctx(), names, name + " = " + value)), {name});
}

isl::set between(const Kernel& kernel, const Dimension& product, const std::string& first,
                 const std::string& last) {
  const std::string up = first + " <= " + product.name + " <= " + last;
  const std::string down = last + " <= " + product.name + " <= " + first;
  const NameList names = {product.name, first, last};
  const isl::ctx context = kernel.context.ctx();
  if (is_natural(kernel, product.name)) return condition(context, names, up);
  const Parameter* step = step_of(kernel, product);
  if (step == nullptr) return condition(context, names, "(" + up + ") or (" + down + ")");
  NameList with_step = names;
  with_step.push_back(step->name);
  return condition(
      context, with_step,
      "(" + step->name + " >= 0 and " + up + ") or (" + step->name + " < 0 and " + down + ")");
}

}  // namespace gridspan::model
