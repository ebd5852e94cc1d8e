// Density, asked of isl.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/density.h"

#include "model/companions.h"
#include "model/factors.h"
#include "model/relations.h"

namespace gridspan::model {
namespace {

using NameList = std::vector<std::string>;

// below < z < above, where the product may reach both: it is a multiple of something that is not
// negative, and has a last value.
isl::set gap(const Kernel& kernel, const Dimension& product, const std::string& step,
             const std::string& below, const std::string& above) {
  NameList names = {product.name, step, below, above};
  std::string up = "0 <= " + below + " < " + product.name + " < " + above;
  const std::string down = above + " < " + product.name + " < " + below + " <= 0";
  const bool counts_up = proved_positive(kernel, step);
  const Parameter* bound = bound_of(kernel, product);
  if (counts_up && bound != nullptr) {
    names.push_back(bound->name);
    up += " and " + above + " <= " + bound->name + " - " + step;
  }
  const std::string text =
      counts_up ? up : "(" + step + " >= 0 and " + up + ") or (" + step + " < 0 and " + down + ")";
  return condition(kernel.context.ctx(), names, text);
}

NameList with(NameList names, const std::string& name) {
  names.push_back(name);
  return names;
}

}  // namespace

Gaps::Gaps(const Kernel& kernel, Instances& instances, const Dimension& product, NameList kept)
    : product_(product),
      below_(product.name + "_below"),
      above_(product.name + "_above"),
      step_(step_of(kernel, product)->name),
      between_(gap(kernel, product, step_, below_, above_)
                   .intersect(instances.facts(with(std::move(kept), product.name)))) {}

isl::set Gaps::without_above(const isl::set& set) const {
  return fix_parameter(set, above_, below_ + " + " + step_, {below_, step_});
}

isl::set Gaps::inside(const isl::set& here) const {
  return without_above(here.intersect_params(between_));
}

isl::set Gaps::beside(const isl::set& here) const {
  return without_above(rename_parameter(here, product_.name, below_)
                           .unite(rename_parameter(here, product_.name, above_)));
}

bool is_dense(const Kernel& kernel, Instances& instances, const isl::set& touched,
              const isl::set& here, const std::string& name, const NameList& kept) {
  const Dimension& product = *find_dimension(kernel, name);
  if (step_of(kernel, product) == nullptr) return false;
  if (has_dense_companion(kernel, touched, name, kept)) return true;
  const Gaps gaps(kernel, instances, product, kept);
  return gaps.inside(here).is_subset(gaps.beside(here));
}

}  // namespace gridspan::model
