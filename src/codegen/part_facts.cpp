// Linear facts about parts, as isl text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each fact that can be left out is: cases multiply, and a fact about names that the image lacks
// rarely helps.
#include "codegen/part_facts.h"

#include "model/factors.h"

#include <algorithm>
#include <set>

namespace gridspan::codegen {

using model::Dimension;
using model::Kernel;

namespace {

class Facts {
 public:
  Facts(const Kernel& kernel, const isl::set& image) : kernel_(kernel) {
    for (std::string& name : model::involved_parameters(image)) wanted_.insert(std::move(name));
  }

  void add(const isl::set& fact) { all_ = all_.is_null() ? fact : all_.intersect(fact); }
  void block(const Dimension& dimension);
  void block_product(const Dimension& dimension);
  void last_step(const Dimension& dimension);
  void counter(const model::NativeLoop& loop);
  isl::set result() const;

 private:
  bool wants(const std::string& name) const { return wanted_.contains(name); }
  void add(const std::set<std::string>& names, const std::string& condition);

  const Kernel& kernel_;
  std::set<std::string> wanted_;
  model::OrNull<isl::set> all_;
};

void Facts::add(const std::set<std::string>& names, const std::string& condition) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  add(isl::set(kernel_.context.ctx(), "[" + list + "] -> { : " + condition + " }"));
  wanted_.insert(names.begin(), names.end());
}

void Facts::block(const Dimension& dimension) {
  const std::string first = model::part_first(dimension.name);
  const std::string last = model::part_last(dimension.name);
  const std::string extent = model::extent_of(kernel_, dimension);
  if (!wants(first) && !wants(last)) return;
  add({first, last, extent}, "0 <= " + first + " <= " + last + " < " + extent);
}

/// Between z = P*b and b over a part, P >= 1. Two blocks differ by P at least.
void Facts::block_product(const Dimension& z) {
  const std::string first = model::part_first(z.name), last = model::part_last(z.name);
  const std::string base_first = model::part_first(z.base), base_last = model::part_last(z.base);
  if ((!wants(first) && !wants(last)) || !model::proved_positive(kernel_, z.factor)) return;
  const Dimension* base = model::find_dimension(kernel_, z.base);
  if (!base || base->kind == Dimension::Kind::loop) return;
  add({first, last}, "0 <= " + first + " <= " + last);
  last_step(z);
  if (!wants(base_first) && !wants(base_last)) return;
  add({first, last, base_first, base_last, z.factor},
      first + " >= " + base_first + " and " + last + " - " + first + " >= " + base_last + " - " +
          base_first + " and ((" + base_first + " = " + base_last + " and " + first + " = " + last +
          ") or (" + base_first + " < " + base_last + " and " + last + " >= " + first + " + " +
          z.factor + "))");
}

/// P*last <= P*(gridDim - 1), where the kernel has the product parameter.
void Facts::last_step(const Dimension& z) {
  const model::Parameter* step = model::step_of(kernel_, z);
  const model::Parameter* all = model::bound_of(kernel_, z);
  if (!step || !all || !wants(all->name)) return;
  add({model::part_last(z.name), step->name, all->name},
      model::part_last(z.name) + " <= " + all->name + " - " + step->name);
}

void Facts::counter(const model::NativeLoop& loop) {
  add({loop.counter}, loop.counter + " >= 0");
  for (const Dimension& z : loop.products)
    if (model::proved_positive(kernel_, z.factor))
      add({loop.counter, z.name, z.factor}, z.name + " >= " + loop.counter);
}

isl::set Facts::result() const {
  std::vector<std::string> unwanted;
  for (const std::string& name : model::involved_parameters(all_))
    if (!wants(name)) unwanted.push_back(name);
  return model::project_out_parameters(all_, unwanted).coalesce();
}

}  // namespace

isl::set part_facts(const Kernel& kernel, const std::vector<unsigned>& assumed,
                    const std::vector<model::NativeLoop>& loops, const isl::set& image) {
  Facts facts(kernel, image);
  for (const model::NativeLoop& loop : loops) facts.counter(loop);
  for (const Dimension& dimension : kernel.dimensions)
    if (dimension.kind == Dimension::Kind::product) facts.block_product(dimension);
  for (const Dimension& dimension : kernel.dimensions)
    if (dimension.kind == Dimension::Kind::block) facts.block(dimension);
  facts.add(kernel.context);
  for (unsigned index : assumed) {
    const model::Assumption& assumption = kernel.assumptions[index];
    if (assumption.kind != model::Assumption::Kind::holds || assumption.condition.is_null())
      continue;
    if (assumption.condition.n_basic_set() == 1) facts.add(assumption.condition);
  }
  return facts.result();
}

}  // namespace gridspan::codegen
