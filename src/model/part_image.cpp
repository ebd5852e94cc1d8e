// Images of parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products are made dense (model/density.h). Those of thread indices and loop counters that must
// not be are run over natively (NativeLoop); those of block indices leave the image exact for one
// block only.
#include "model/part_image.h"

#include "model/companions.h"
#include "model/density.h"
#include "model/factors.h"
#include "model/facts.h"
#include "model/part_bounds.h"
#include "model/relations.h"

#include <algorithm>

namespace gridspan::model {

namespace {

using NameList = std::vector<std::string>;

// More integers than this that only exist, in one piece: isl takes long to find out what they are,
// and what it finds is no box.
constexpr int most_divisions = 3;
constexpr unsigned long gist_operations = 100'000;
// ... nor what these integers are in many pieces.
constexpr unsigned most_pieces_to_shorten = 2;

int divisions(const isl::set& image) {
  int most = 0;
  image.foreach_basic_set([&](const isl::basic_set& piece) {
    most = std::max(most, static_cast<int>(isl_basic_set_dim(piece.get(), isl_dim_div)));
  });
  return most;
}

// How the dimensions that a relation really depends on leave its image.
struct Plan {
  NameList plain;                       // projected out as they are
  NameList dense;                       // products projected out as intervals, in this order
  NameList blocks;                      // block indices and their products: bounded by the part
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
  PartImage coarse(Pieces pieces) const;
  isl::set image(const NameList& kept) const;

 private:
  NameList symbols_of(const Dimension& root) const;
  Plan plan() const;
  NameList loop_symbols(const Plan& plan) const;
  void run_loops_for_what_is_not_dense(Plan& plan) const;
  NameList gaps(const Plan& plan) const;
  void go_row_by_row(const Plan& plan, const std::string& product, PartImage& result) const;
  std::optional<NativeLoop> native_loop(const Dimension& counter, const isl::set& image) const;
  void shorten(OrNull<isl::set>& image, const NameList& blocks) const;

  const Kernel& kernel_;
  Instances& instances_;
  isl::set touched_;   // elements, dimensions as parameters, without what facts say anyway
  NameList involved_;  // dimensions that matter
};

// The root itself and its products, as far as they matter.
NameList Imager::symbols_of(const Dimension& root) const {
  NameList symbols;
  for (const std::string& name : involved_) {
    if (root_of(kernel_, name) == &root) symbols.push_back(name);
  }
  return symbols;
}

Plan Imager::plan() const {
  Plan plan;
  for (const Dimension& root : kernel_.dimensions) {
    if (root.kind == Dimension::Kind::product) continue;
    const NameList symbols = symbols_of(root);
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

NameList Imager::loop_symbols(const Plan& plan) const {
  NameList names;
  for (const Dimension* root : plan.loops)
    std::ranges::copy(symbols_of(*root), std::back_inserter(names));
  return names;
}

// What the part touches, with the dimensions `kept` as parameters.
isl::set Imager::image(const NameList& kept) const {
  NameList gone = involved_;
  std::erase_if(gone, [&](auto& name) { return std::ranges::count(kept, name) != 0; });
  isl::set bounds = instances_.facts(gone);
  for (const std::string& name : gone) {
    if (root_of(kernel_, name)->kind == Dimension::Kind::block) {
      bounds = bounds.intersect(part_range(kernel_, *find_dimension(kernel_, name), gone));
    }
  }
  return project_out_parameters(touched_.intersect_params(bounds), gone);
}

// Each product is tried with those that passed already projected out; what never passes is run
// over.
void Imager::run_loops_for_what_is_not_dense(Plan& plan) const {
  NameList open;
  std::swap(open, plan.dense);
  const auto passes = [&](const std::string& name) {
    const Dimension& product = *find_dimension(kernel_, name);
    const bool thread = root_of(kernel_, name)->kind == Dimension::Kind::thread;
    if (!is_natural(kernel_, name) || (thread && bound_of(kernel_, product) == nullptr))
      return false;
    NameList kept = open;
    std::ranges::copy(plan.blocks, std::back_inserter(kept));
    std::ranges::copy(loop_symbols(plan), std::back_inserter(kept));
    return is_dense(kernel_, instances_, touched_, image(kept), name, kept);
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

// Block symbols whose interval may touch more than their multiples do. One symbol for each axis is
// looked at: the index, or a product.
NameList Imager::gaps(const Plan& plan) const {
  NameList kept = plan.blocks;
  std::ranges::copy(loop_symbols(plan), std::back_inserter(kept));
  const isl::set here = image(kept);
  NameList found;
  std::ranges::copy_if(plan.blocks, std::back_inserter(found), [&](const std::string& name) {
    const Dimension& root = *root_of(kernel_, name);
    return symbols_of(root).size() != 1 ||
           (name != root.name && !is_dense(kernel_, instances_, touched_, here, name, kept));
  });
  return found;
}

// The one gap may be between rows of blocks.
void Imager::go_row_by_row(const Plan& plan, const std::string& product, PartImage& result) const {
  if (symbols_of(*root_of(kernel_, product)).size() != 1 || !plan.loops.empty()) return;
  const Dimension* digit = lower_block_digit(kernel_, touched_, product);
  if (digit == nullptr || std::ranges::count(plan.blocks, digit->name) == 0) return;
  result.rows = BlockRows{find_dimension(kernel_, product), digit};
  result.by_rows = row_by_row(kernel_, *result.rows, image({product}));
  result.exact_part = true;
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
  NameList symbols = symbols_of(counter);
  symbols.push_back(counter.name);
  const isl::set turns = image.params().intersect(instance_facts(kernel_, symbols));
  std::erase_if(symbols, [&](auto& name) { return name == counter.name; });
  NameList others = symbols;
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

// Projecting each piece takes isl longest of all; their hull may be without bounds.
PartImage Imager::coarse(Pieces pieces) const {
  Imager whole = *this;
  if (pieces == Pieces::one_hull && touched_.n_basic_set() > 1)
    whole.touched_ = isl::manage(isl_set_simple_hull(touched_.copy())).to_set();
  PartImage result;
  result.exact_block = result.exact_part = false;
  result.is_coarse = true;
  result.piece.image = isl::manage(isl_set_remove_divs(whole.image({}).release())).coalesce();
  return result;
}

// No more than that: where it takes long, let it be.
void Imager::shorten(OrNull<isl::set>& image, const NameList& blocks) const {
  if (image.n_basic_set() > most_pieces_to_shorten && image.involves_locals()) return;
  const isl::set known = instances_.part_facts(blocks).intersect(
      relevant_context(kernel_, involved_parameters(image)));
  within_limit(kernel_.context.ctx(), gist_operations,
               [&] { image = image.gist_params(known).coalesce(); });
}

PartImage Imager::exact() const {
  Plan settled = plan();
  run_loops_for_what_is_not_dense(settled);
  PartImage result;
  result.blocks = settled.blocks;
  result.piece.image = image(loop_symbols(settled)).coalesce();
  if (divisions(result.piece.image) > most_divisions) return coarse(Pieces::one_hull);
  for (const Dimension* root : settled.loops) {
    std::optional<NativeLoop> loop = native_loop(*root, result.piece.image);
    if (!loop) return coarse(Pieces::one_hull);
    result.piece.loops.push_back(std::move(*loop));
  }
  shorten(result.piece.image, settled.blocks);
  const NameList open = gaps(settled);
  result.exact_part = open.empty();
  if (open.size() == 1) go_row_by_row(settled, open.front(), result);
  return result;
}

}  // namespace

PartImage part_image(const Kernel& kernel, Instances& instances, const Access& access) {
  return Imager(kernel, instances, access).exact();
}

isl::set image_at(const Kernel& kernel, Instances& instances, const Access& access,
                  const NameList& kept) {
  return Imager(kernel, instances, access).image(kept);
}

PartImage coarse_part_image(const Kernel& kernel, Instances& instances, const Access& access,
                            Pieces pieces) {
  return Imager(kernel, instances, access).coarse(pieces);
}

}  // namespace gridspan::model
