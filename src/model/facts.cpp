// Linear facts about the dimensions of a kernel: ranges, and what a product says of its base.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/facts.h"

#include "model/factors.h"
#include "model/inequalities.h"

#include <algorithm>
#include <set>

namespace gridspan::model {
namespace {

// Constraints and the names they are about.
class Facts {
 public:
  void name(const std::string& name) { names_.insert(name); }
  std::set<std::string> names() const { return names_; }
  void add(const LinearConstraint& fact) { constraints_.add(fact); }
  void add_cases(const std::vector<Conjunction>& cases) { constraints_.add_cases(cases); }
  isl::set set(isl::ctx context) const { return constraints_.set(context); }

 private:
  std::set<std::string> names_;
  Constraints constraints_;
};

// The dimensions asked for and the bases of products among them, bases first.
std::vector<const Dimension*> with_bases(const Kernel& kernel,
                                         const std::vector<std::string>& dimensions) {
  std::vector<const Dimension*> found;
  const auto add = [&](const auto& self, const std::string& name) -> void {
    const Dimension* dimension = find_dimension(kernel, name);
    if (dimension == nullptr || std::ranges::count(found, dimension) != 0) return;
    if (dimension->kind == Dimension::Kind::product) self(self, dimension->base);
    found.push_back(dimension);
  };
  for (const std::string& name : dimensions) add(add, name);
  return found;
}

// `cases` where P >= 1 and `otherwise` elsewhere; just `cases` when P >= 1 always.
std::vector<Conjunction> when_positive(const Kernel& kernel, const std::string& factor,
                                       std::vector<Conjunction> cases,
                                       const std::vector<Conjunction>& otherwise) {
  if (proved_positive(kernel, factor)) return cases;
  const Sum p(factor);
  for (Conjunction& one : cases) one.push_back(p >= 1);
  for (Conjunction one : otherwise) {
    one.push_back(p <= 0);
    cases.push_back(std::move(one));
  }
  return cases;
}

// Linear facts about z = p*d, d >= 0. For p, d >= 1: (p - 1)*(d - 1) >= 0, so p*d >= p + d - 1;
// with d = 0 what is left of this in one inequality is z >= d.
void add_product_facts(const Kernel& kernel, const Dimension& product, Facts& facts) {
  const Sum z(product.name), d(product.base);
  if (!is_natural(kernel, product.base)) return;
  if (proved_positive(kernel, product.factor)) return facts.add(z >= d);
  facts.add_cases(when_positive(kernel, product.factor, {{z >= d}}, {{z <= 0}}));
}

// Linear facts about z = p*d, which may be differences, case by case.
std::vector<Conjunction> difference_facts(const Kernel& kernel, const Sum& z,
                                          const std::string& factor, const Sum& d) {
  const Sum p(factor);
  const Conjunction zero = {d == 0, z == 0};
  return when_positive(kernel, factor, {zero, {d >= 1, z >= p + d - 1}, {d <= -1, z <= d - p + 1}},
                       {zero, {d >= 1, z <= p}, {d <= -1, z >= -p}});
}

// What P*d (P >= 1) is at most: P*(E - 1) = Q - P, with Q and P parameters the kernel has.
void add_upper_bound(const Kernel& kernel, const Dimension& product, Facts& facts) {
  const Parameter* step = step_of(kernel, product);
  const Parameter* bound = bound_of(kernel, product);
  if (step == nullptr || bound == nullptr || !is_natural(kernel, product.name)) return;
  facts.name(step->name);
  facts.name(bound->name);
  facts.add(Sum(product.name) <= Sum(bound->name) - step->name);
}

void add_product(const Kernel& kernel, const Dimension& dimension, Facts& facts) {
  for (const std::string& name : {dimension.name, dimension.base, dimension.factor}) {
    facts.name(name);
  }
  add_product_facts(kernel, dimension, facts);
  add_upper_bound(kernel, dimension, facts);
}

void add_range(const Kernel& kernel, const Dimension& dimension, Facts& facts) {
  facts.name(dimension.name);
  facts.add(Sum(dimension.name) >= 0);
  if (dimension.kind == Dimension::Kind::loop) return;
  const std::string extent = extent_of(kernel, dimension);
  facts.name(extent);
  facts.add(Sum(dimension.name) <= Sum(extent) - 1);
}

// Of z = P*d and z' = P*d': their difference is the product of P and the bases' difference.
void add_pair(const Kernel& kernel, const Dimension& product, Facts& facts) {
  const std::string &z = product.name, &d = product.base;
  for (const std::string& name : {z, z + "'", d, d + "'", product.factor}) facts.name(name);
  facts.add_cases(difference_facts(kernel, Sum(z + "'") - z, product.factor, Sum(d + "'") - d));
}

// Extents are positive. A product of positive numbers: (f_1 - 1)*(f_2 - 1) >= 0, and so on.
void add_parameter_facts(const Kernel& kernel, Facts& facts) {
  for (const std::string& name : facts.names()) {
    const Parameter* parameter = find_parameter(kernel, name);
    if (parameter == nullptr) continue;
    using Kind = Parameter::Kind;
    if (parameter->kind == Kind::grid_dim || parameter->kind == Kind::block_dim) {
      facts.add(Sum(name) >= 1);
    }
    if (parameter->kind != Kind::product) continue;
    if (!std::ranges::all_of(parameter->factors,
                             [&](auto& factor) { return proved_positive(kernel, factor); })) {
      continue;
    }
    Sum sum(1);
    for (const std::string& factor : parameter->factors) {
      facts.name(factor);
      facts.add(Sum(factor) >= 1);
      sum += Sum(factor) - 1;
    }
    facts.add(Sum(name) >= sum);
  }
}

}  // namespace

isl::set instance_facts(const Kernel& kernel, const std::vector<std::string>& dimensions) {
  Facts facts;
  std::vector<std::string> only_bases;
  for (const Dimension* dimension : with_bases(kernel, dimensions)) {
    if (std::ranges::count(dimensions, dimension->name) == 0) only_bases.push_back(dimension->name);
    if (dimension->kind == Dimension::Kind::product) {
      add_product(kernel, *dimension, facts);
    } else {
      add_range(kernel, *dimension, facts);
    }
  }
  add_parameter_facts(kernel, facts);
  return project_out_parameters(facts.set(kernel.context.ctx()), only_bases);
}

isl::set dimension_facts(const Kernel& kernel, const std::vector<std::string>& dimensions) {
  return instance_facts(kernel, dimensions).intersect(kernel.context);
}

isl::set relevant_context(const Kernel& kernel, const std::vector<std::string>& names) {
  isl_set* context = kernel.context.copy();
  for (const std::string& name : involved_parameters(kernel.context)) {
    if (std::ranges::count(names, name) != 0) continue;
    const int position = isl_set_find_dim_by_name(context, isl_dim_param, name.c_str());
    context = isl_set_drop_constraints_involving_dims(context, isl_dim_param,
                                                      static_cast<unsigned>(position), 1);
  }
  return isl::manage(isl_set_drop_unused_params(context));
}

isl::set pair_facts(const Kernel& kernel, const std::vector<std::string>& dimensions) {
  Facts facts;
  std::vector<std::string> only_bases;
  for (const Dimension* dimension : with_bases(kernel, dimensions)) {
    if (std::ranges::count(dimensions, dimension->name) == 0) {
      only_bases.push_back(dimension->name);
      only_bases.push_back(dimension->name + "'");
    }
    if (dimension->kind == Dimension::Kind::product) add_pair(kernel, *dimension, facts);
  }
  return project_out_parameters(facts.set(kernel.context.ctx()), only_bases);
}

}  // namespace gridspan::model
