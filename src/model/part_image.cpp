// Images of parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product z = P*d takes multiples of P only, yet an image lets it take every value in between: it
// is *dense*. That is harmless when what lies between two multiples is what they themselves touch:
//
//     B(z)  ⊆  B(m) ∪ B(m + P)     for all m <= z <= m + P,    B(z) = what is touched at this z
//
// Example: B(z) = [z, z + P - 1], thread indices added. Counterexample: B(z) = {z}, every P-th
// element. The inclusion is asked of isl for all m, not only multiples: more than is needed, but
// affine. Several products are made dense one after the other: each inclusion holds for whatever
// the later ones are.
//
// Products of thread indices and loop counters that fail are run over natively (NativeLoop);
// products of block indices that fail leave the image exact for one block only.
#include "model/part_image.h"

#include "model/companions.h"
#include "model/factors.h"
#include "model/facts.h"
#include "model/part_bounds.h"
#include "model/relations.h"

#include <algorithm>

namespace gridspan::model {

namespace {

using Names = std::vector<std::string>;

// How the dimensions that a relation really depends on leave its image.
struct Plan {
  Names plain;                          // projected out as they are
  Names dense;                          // products projected out as intervals, in this order
  Names blocks;                         // block indices and their products: bounded by the part
  std::vector<const Dimension*> loops;  // run natively, with all their products
};

class Imager {
 public:
  Imager(const Kernel& kernel, Instances& instances, const Access& access)
      : kernel_(kernel),
        instances_(instances),
        touched_(instances.of(access).touched),
        involved_(instances.of(access).involved) {}

  PartImage exact() const;
  PartImage coarse() const;

 private:
  Names symbols_of(const Dimension& root) const;
  Plan plan() const;
  Names loop_symbols(const Plan& plan) const;
  bool is_dense(const std::string& product, const Names& kept) const;
  void run_loops_for_what_is_not_dense(Plan& plan) const;
  bool blocks_are_exact(const Plan& plan) const;
  isl::set image(const Names& kept) const;
  std::optional<NativeLoop> native_loop(const Dimension& counter, const isl::set& image) const;

  const Kernel& kernel_;
  Instances& instances_;
  isl::set touched_;  // elements, dimensions as parameters, without what facts say anyway
  Names involved_;    // dimensions that matter
};

// The root itself and its products, as far as they matter.
Names Imager::symbols_of(const Dimension& root) const {
  Names symbols;
  for (const std::string& name : involved_) {
    if (root_of(kernel_, name) == &root) symbols.push_back(name);
  }
  return symbols;
}

Plan Imager::plan() const {
  Plan plan;
  for (const Dimension& root : kernel_.dimensions) {
    if (root.kind == Dimension::Kind::product) continue;
    const Names symbols = symbols_of(root);
    if (symbols.empty()) continue;
    if (root.kind == Dimension::Kind::block) {
      std::ranges::copy(symbols, std::back_inserter(plan.blocks));
    } else if (symbols.size() > 1) {
      plan.loops.push_back(&root);
    } else if (symbols.front() != root.name) {
      plan.dense.push_back(symbols.front());
    }
  }
  return plan;
}

Names Imager::loop_symbols(const Plan& plan) const {
  Names names;
  for (const Dimension* root : plan.loops)
    std::ranges::copy(symbols_of(*root), std::back_inserter(names));
  return names;
}

// What the part touches, with the dimensions `kept` as parameters.
isl::set Imager::image(const Names& kept) const {
  Names gone = involved_;
  std::erase_if(gone, [&](auto& name) { return std::ranges::count(kept, name) != 0; });
  isl::set bounds = instances_.facts(gone);
  for (const std::string& name : gone) {
    if (root_of(kernel_, name)->kind == Dimension::Kind::block) {
      bounds = bounds.intersect(part_range(kernel_, *find_dimension(kernel_, name), gone));
    }
  }
  return project_out_parameters(touched_.intersect_params(bounds), gone);
}

// Whether an interval of `product` touches what its multiples of the step touch; `kept` stay fixed.
bool Imager::is_dense(const std::string& name, const Names& kept) const {
  const Dimension& product = *find_dimension(kernel_, name);
  const Parameter* step = step_of(kernel_, product);
  if (step == nullptr) return false;
  if (has_dense_companion(kernel_, touched_, name, kept)) return true;
  const std::string below = name + "_below", above = name + "_above";
  const isl::set here = image(kept);
  Names facts_of = kept;
  facts_of.push_back(name);
  const isl::set inside = here.intersect_params(between(kernel_, product, below, above))
                              .intersect_params(instances_.facts(facts_of));
  const isl::set ends =
      rename_parameter(here, name, below).unite(rename_parameter(here, name, above));
  const Names names = {below, step->name};
  return fix_parameter(inside, above, below + " + " + step->name, names)
      .is_subset(fix_parameter(ends, above, below + " + " + step->name, names));
}

// Each product is tried with those that passed already projected out; what never passes is run
// over.
void Imager::run_loops_for_what_is_not_dense(Plan& plan) const {
  Names open;
  std::swap(open, plan.dense);
  const auto passes = [&](const std::string& name) {
    const Dimension& product = *find_dimension(kernel_, name);
    const bool thread = root_of(kernel_, name)->kind == Dimension::Kind::thread;
    if (!is_natural(kernel_, name) || (thread && bound_of(kernel_, product) == nullptr))
      return false;
    Names kept = open;
    std::ranges::copy(plan.blocks, std::back_inserter(kept));
    std::ranges::copy(loop_symbols(plan), std::back_inserter(kept));
    return is_dense(name, kept);
  };
  for (auto found = open.begin(); found != open.end();) {
    found = std::ranges::find_if(open, passes);
    if (found == open.end()) break;
    plan.dense.push_back(*found);
    open.erase(found);
    found = open.begin();
  }
  for (const std::string& name : open) plan.loops.push_back(root_of(kernel_, name));
}

// One symbol for each axis: the index, or a product whose interval touches no more than its
// multiples.
bool Imager::blocks_are_exact(const Plan& plan) const {
  Names kept = plan.blocks;
  std::ranges::copy(loop_symbols(plan), std::back_inserter(kept));
  return std::ranges::all_of(plan.blocks, [&](const std::string& name) {
    const Dimension& root = *root_of(kernel_, name);
    return symbols_of(root).size() == 1 && (name == root.name || is_dense(name, kept));
  });
}

// Null if the counter has no end, or a product is no parameter times the counter.
std::optional<NativeLoop> Imager::native_loop(const Dimension& counter,
                                              const isl::set& image) const {
  NativeLoop loop;
  loop.counter = counter.name;
  for (const std::string& name : symbols_of(counter)) {
    if (name == counter.name) continue;
    Dimension product = *find_dimension(kernel_, name);
    const Parameter* step = step_of(kernel_, product);
    if (product.base != counter.name && step == nullptr) return std::nullopt;
    if (product.base != counter.name) product.factor = step->name;
    product.base = counter.name;
    loop.products.push_back(product);
  }
  if (counter.kind == Dimension::Kind::thread) {
    loop.last =
        parameter_value(kernel_.context.ctx(), extent_of(kernel_, counter)).add_constant(-1);
    return loop;
  }
  Names symbols = symbols_of(counter);
  symbols.push_back(counter.name);
  const isl::set turns = image.params().intersect(instance_facts(kernel_, symbols));
  std::erase_if(symbols, [&](auto& name) { return name == counter.name; });
  Names others = symbols;
  for (const std::string& name : involved_parameters(turns)) {
    const Dimension* root = root_of(kernel_, name);
    if (root != nullptr && root != &counter) others.push_back(name);
  }
  const isl::set values =
      parameters_to_dimensions(project_out_parameters(turns, others), {counter.name}).coalesce();
  if (isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) != isl_bool_true)
    return std::nullopt;
  loop.last = isl::manage(isl_set_dim_max(values.copy(), 0)).coalesce();
  return loop;
}

PartImage Imager::coarse() const {
  PartImage result;
  result.exact_block = result.exact_part = false;
  result.piece.image = isl::manage(isl_set_remove_divs(image({}).release())).coalesce();
  return result;
}

PartImage Imager::exact() const {
  Plan settled = plan();
  run_loops_for_what_is_not_dense(settled);
  PartImage result;
  result.piece.image = image(loop_symbols(settled)).coalesce();
  for (const Dimension* root : settled.loops) {
    std::optional<NativeLoop> loop = native_loop(*root, result.piece.image);
    if (!loop) return coarse();
    result.piece.loops.push_back(std::move(*loop));
  }
  const isl::set known =
      instances_.part_facts(settled.blocks)
          .intersect(relevant_context(kernel_, involved_parameters(result.piece.image)));
  result.piece.image = result.piece.image.gist_params(known).coalesce();
  result.exact_part = blocks_are_exact(settled);
  return result;
}

}  // namespace

PartImage part_image(const Kernel& kernel, Instances& instances, const Access& access) {
  return Imager(kernel, instances, access).exact();
}

PartImage coarse_part_image(const Kernel& kernel, Instances& instances, const Access& access) {
  return Imager(kernel, instances, access).coarse();
}

std::optional<PartImage> PartImages::of(const Access& access) {
  if (access.unbounded) return std::nullopt;
  std::optional<unsigned> shape;
  const isl::ctx context = kernel_.context.ctx();
  if (!attempt(context, limits_, [&] { shape = instances_.of(access).shape; })) return std::nullopt;
  auto known = made_.find(*shape);
  if (known == made_.end()) known = made_.emplace(*shape, make(access)).first;
  std::optional<PartImage> image = known->second;
  if (image && !access.exact) image->exact_block = image->exact_part = false;
  return image;
}

std::optional<PartImage> PartImages::make(const Access& access) {
  std::optional<PartImage> image;
  const isl::ctx context = kernel_.context.ctx();
  const bool done =
      attempt(context, limits_, [&] { image = part_image(kernel_, instances_, access); }) ||
      attempt(context, limits_, [&] { image = coarse_part_image(kernel_, instances_, access); });
  if (!done) return std::nullopt;
  bool bounded = false;
  attempt(context, limits_, [&] { bounded = is_bounded(image->piece.image); });
  return bounded ? image : std::nullopt;
}

}  // namespace gridspan::model
