// Linear constraints as isl sets. isl's parser takes a hundred times as long to make one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/inequalities.h"

namespace gridspan::model {
namespace {

isl_space* space_of(isl_ctx* context, const std::set<std::string>& names) {
  isl_space* space = isl_space_params_alloc(context, static_cast<unsigned>(names.size()));
  unsigned position = 0;
  for (const std::string& name : names)
    space = isl_space_set_dim_name(space, isl_dim_param, position++, name.c_str());
  return space;
}

isl_constraint* constraint_in(isl_space* space, const std::set<std::string>& names,
                              const LinearConstraint& given) {
  isl_local_space* local = isl_local_space_from_space(isl_space_copy(space));
  isl_constraint* constraint =
      given.is_zero ? isl_constraint_alloc_equality(local) : isl_constraint_alloc_inequality(local);
  for (const auto& [name, coefficient] : given.sum.terms()) {
    const auto position = static_cast<int>(std::distance(names.begin(), names.find(name)));
    constraint = isl_constraint_set_coefficient_val(
        constraint, isl_dim_param, position,
        isl_val_int_from_si(isl_space_get_ctx(space), coefficient));
  }
  return isl_constraint_set_constant_val(
      constraint, isl_val_int_from_si(isl_space_get_ctx(space), given.sum.constant()));
}

isl_set* set_of(isl_space* space, const std::set<std::string>& names,
                const Conjunction& conjunction) {
  isl_basic_set* all = isl_basic_set_universe(isl_space_copy(space));
  for (const LinearConstraint& constraint : conjunction)
    all = isl_basic_set_add_constraint(all, constraint_in(space, names, constraint));
  return isl_set_from_basic_set(all);
}

void collect(const Conjunction& conjunction, std::set<std::string>& names) {
  for (const LinearConstraint& constraint : conjunction)
    for (const auto& [name, coefficient] : constraint.sum.terms()) names.insert(name);
}

}  // namespace

Sum& Sum::operator+=(const Sum& other) {
  for (const auto& [name, coefficient] : other.terms_) terms_[name] += coefficient;
  constant_ += other.constant_;
  return *this;
}

Sum operator-(Sum a, const Sum& b) {
  for (const auto& [name, coefficient] : b.terms_) a.terms_[name] -= coefficient;
  a.constant_ -= b.constant_;
  return a;
}

isl::set Constraints::set(isl::ctx context) const {
  std::set<std::string> names;
  collect(always_, names);
  for (const std::vector<Conjunction>& cases : cases_)
    for (const Conjunction& one : cases) collect(one, names);
  isl_space* space = space_of(context.get(), names);
  isl_set* result = set_of(space, names, always_);
  for (const std::vector<Conjunction>& cases : cases_) {
    isl_set* any = isl_set_empty(isl_space_copy(space));
    for (const Conjunction& one : cases) any = isl_set_union(any, set_of(space, names, one));
    result = isl_set_intersect(result, any);
  }
  isl_space_free(space);
  if (result == nullptr) isl::exception::throw_last_error(context);
  return isl::manage(result);
}

}  // namespace gridspan::model
