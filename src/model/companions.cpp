// Companions of products, by coefficients.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/companions.h"

#include "model/factors.h"

#include <algorithm>

namespace gridspan::model {
namespace {

// Two parameters, by position; whether every constraint seen so far gives them equal coefficients.
struct Comparison {
  int first, second;
  bool equal = true;
};

template <typename Coefficient>
void compare(Comparison& comparison, const Coefficient& coefficient) {
  const isl::val a = isl::manage(coefficient(comparison.first));
  const isl::val b = isl::manage(coefficient(comparison.second));
  comparison.equal &= a.eq(b);
}

void compare_divisions(const isl::basic_set& piece, Comparison& comparison) {
  const int divisions = isl_basic_set_dim(piece.get(), isl_dim_div);
  for (int i = 0; i < divisions; ++i) {
    isl_aff* raw = isl_basic_set_get_div(piece.get(), i);
    if (raw == nullptr) {  // no function of the others
      isl_ctx_reset_error(piece.ctx().get());
      comparison.equal = false;
      continue;
    }
    const isl::aff division = isl::manage(raw);
    compare(comparison, [&](int position) {
      return isl_aff_get_coefficient_val(division.get(), isl_dim_param, position);
    });
  }
}

// Whether `touched` depends on the two parameters only through their sum.
bool occur_as_sum(const isl::set& touched, const std::string& first, const std::string& second) {
  Comparison comparison{isl_set_find_dim_by_name(touched.get(), isl_dim_param, first.c_str()),
                        isl_set_find_dim_by_name(touched.get(), isl_dim_param, second.c_str())};
  if (comparison.first < 0 || comparison.second < 0) return false;
  touched.foreach_basic_set([&](const isl::basic_set& piece) {
    for_each_constraint(piece, [&](isl_constraint* constraint) {
      compare(comparison, [&](int position) {
        return isl_constraint_get_coefficient_val(constraint, isl_dim_param, position);
      });
    });
    if (comparison.equal) compare_divisions(piece, comparison);
  });
  return comparison.equal;
}

}  // namespace

bool has_dense_companion(const Kernel& kernel, const isl::set& touched, const std::string& name,
                         const std::vector<std::string>& kept) {
  const Dimension& product = *find_dimension(kernel, name);
  const Parameter* step = step_of(kernel, product);
  if (step == nullptr || !proved_positive(kernel, step->name)) return false;
  return std::ranges::any_of(kernel.dimensions, [&](const Dimension& other) {
    const Dimension* root = root_of(kernel, other.name);
    if (root == nullptr || root->kind != Dimension::Kind::thread) return false;
    if (other.name == name || std::ranges::count(kept, other.name) != 0) return false;
    if (!occur_as_sum(touched, name, other.name)) return false;
    if (&other == root) return extent_of(kernel, other) == step->name;
    const Parameter* bound = bound_of(kernel, other);
    return bound == step && is_natural(kernel, other.name) &&
           has_dense_companion(kernel, touched, other.name, kept);
  });
}

const Dimension* lower_block_digit(const Kernel& kernel, const isl::set& touched,
                                   const std::string& name) {
  const Dimension* root = root_of(kernel, name);
  const Parameter* step = step_of(kernel, *find_dimension(kernel, name));
  if (step == nullptr || !proved_positive(kernel, step->name)) return nullptr;
  const auto found = std::ranges::find_if(kernel.dimensions, [&](const Dimension& other) {
    const Dimension* other_root = root_of(kernel, other.name);
    if (other_root == nullptr || other_root->kind != Dimension::Kind::block) return false;
    if (other_root == root || !occur_as_sum(touched, name, other.name)) return false;
    if (&other == other_root) return extent_of(kernel, other) == step->name;
    return bound_of(kernel, other) == step && is_natural(kernel, other.name) &&
           has_dense_companion(kernel, touched, other.name, {});
  });
  return found == kernel.dimensions.end() ? nullptr : &*found;
}

}  // namespace gridspan::model
