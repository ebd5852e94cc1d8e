// Access sets: images of the accesses of one kind, united.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/access_sets.h"

#include "model/relations.h"
#include "model/unions.h"

#include <algorithm>
#include <set>

namespace gridspan::model {
namespace {

// More basic sets than this make no good footprint function: one hull instead.
constexpr unsigned most_basic_sets = 12;

// Divisions that take longer to find are none a footprint function should make.
constexpr unsigned long divisions_operations = 100'000;

bool same_loops(const FootprintPiece& a, const FootprintPiece& b) {
  return std::ranges::equal(a.loops, b.loops, {}, &NativeLoop::counter, &NativeLoop::counter);
}

// A set under construction.
class SetBuilder {
 public:
  SetBuilder(const Kernel& kernel, Instances& instances, const Array& array, SetKind kind,
             ProofLimits& limits)
      : kernel_(kernel), instances_(instances), array_(array), limits_(limits) {
    set_.kind = kind;
    set_.exact_block = set_.exact_part = true;
  }

  void add(unsigned index, const std::optional<PartImage>& image);
  bool absorb(unsigned index);
  AccessSet finish();
  bool widened() const { return widened_; }

 private:
  void name(unsigned index);
  void add_piece(const FootprintPiece& piece);
  void make_unbounded();
  void simplify(FootprintPiece& piece);

  const Kernel& kernel_;
  Instances& instances_;
  const Array& array_;
  ProofLimits& limits_;
  AccessSet set_;
  std::vector<Member> members_;
  bool widened_ = false;  // larger than the union of its images
  bool bounded_ = true;   // hulls may lose their ends
};

void SetBuilder::make_unbounded() {
  set_.unbounded = true;
  set_.exact_block = set_.exact_part = false;
  set_.pieces.clear();
}

void SetBuilder::name(unsigned index) {
  const Access& access = array_.accesses[index];
  set_.op = access.op;
  set_.accesses.push_back(index);
  std::ranges::copy(access.assumptions, std::back_inserter(set_.assumptions));
}

// An access that may not happen changes nothing where the others touch its elements anyway.
bool SetBuilder::absorb(unsigned index) {
  const Access& access = array_.accesses[index];
  if (access.unbounded || set_.unbounded || !set_.exact_block || members_.empty()) return false;
  bool covered = false;
  attempt(kernel_.context.ctx(), limits_,
          [&] { covered = is_covered(kernel_, instances_, access, members_); });
  if (covered) name(index);
  return covered;
}

void SetBuilder::add(unsigned index, const std::optional<PartImage>& image) {
  name(index);
  if (set_.unbounded) return;
  if (!image) return make_unbounded();
  members_.push_back({&array_.accesses[index], *image});
  set_.exact_block &= image->exact_block;
  set_.exact_part &= image->exact_part;
  if (!image->rows) return add_piece(image->piece);
  FootprintPiece one_run = image->piece;
  one_run.image = one_run.image.intersect_params(model::one_run(kernel_, *image->rows));
  add_piece(one_run);
  add_piece(*image->by_rows);
}

void SetBuilder::add_piece(const FootprintPiece& added) {
  const auto same = std::ranges::find_if(
      set_.pieces, [&](const FootprintPiece& piece) { return same_loops(piece, added); });
  if (same == set_.pieces.end()) {
    set_.pieces.push_back(added);
    return;
  }
  same->image = same->image.unite(added.image);
  for (std::size_t i = 0; i < same->loops.size(); ++i) {
    NativeLoop& loop = same->loops[i];
    const NativeLoop& other = added.loops[i];
    loop.last = isl::manage(isl_pw_aff_union_max(loop.last.copy(), other.last.copy()));
    for (const Dimension& product : other.products) {
      if (std::ranges::count(loop.products, product.name, &Dimension::name) == 0) {
        loop.products.push_back(product);
      }
    }
  }
}

// Few basic sets. They may overlap: footprint functions make boxes disjoint once these are numbers.
void SetBuilder::simplify(FootprintPiece& piece) {
  OrNull<isl::set> simple;
  bool short_enough = true;
  const bool done = attempt(kernel_.context.ctx(), limits_, [&] {
    simple = piece.image;
    if (simple.n_basic_set() > 1) simple = simple.coalesce();
    if (!simple.involves_locals()) return;
    short_enough = within_limit(kernel_.context.ctx(), divisions_operations, [&] {
      simple = isl::manage(isl_set_compute_divs(simple.release()));
    });
  });
  if (!done || !short_enough || simple.n_basic_set() > most_basic_sets) {
    set_.exact_block = set_.exact_part = false;
    widened_ = true;
    bounded_ &= attempt(kernel_.context.ctx(), limits_, [&] {
      const isl::set wide = isl::manage(isl_set_remove_divs(piece.image.copy()));
      simple = isl::manage(isl_set_simple_hull(wide.copy())).to_set();
      bounded_ &= is_bounded(simple);
    });
    if (!bounded_) return;
  }
  piece.image = isl::manage(isl_set_drop_unused_params(simple.release()));
}

AccessSet SetBuilder::finish() {
  std::ranges::sort(set_.assumptions);
  const auto rest = std::ranges::unique(set_.assumptions);
  set_.assumptions.erase(rest.begin(), rest.end());
  if (set_.exact_block && !set_.exact_part) {
    attempt(kernel_.context.ctx(), limits_,
            [&] { set_.exact_part = dense_together(kernel_, instances_, members_); });
  }
  for (FootprintPiece& piece : set_.pieces) simplify(piece);
  if (!bounded_) make_unbounded();
  return set_;
}

using Images = std::vector<std::optional<PartImage>>;

// Null images: anything may be touched.
Images images_of(PartImages& made, const Array& array) {
  Images images;
  for (const Access& access : array.accesses) images.push_back(made.of(access));
  return images;
}

}  // namespace

SetKind set_kind(const Access& access) {
  switch (access.kind) {
    case AccessKind::read:
      return SetKind::read;
    case AccessKind::reduction:
      return SetKind::reduction;
    case AccessKind::atomic:
      return SetKind::atomic;
    case AccessKind::write:
      break;
  }
  if (access.same_value) return SetKind::write_same;
  return access.exact && !access.unbounded ? SetKind::must_write : SetKind::may_write;
}

bool is_write(SetKind kind) { return kind != SetKind::read; }

void make_access_sets(const Kernel& kernel, Instances& instances, PartImages& made, Array& array,
                      std::vector<SetKind> kinds, ProofLimits& limits) {
  const Images images = images_of(made, array);
  std::vector<bool> absorbed(kinds.size());
  const auto demote = [&](const auto& which) {
    for (unsigned i = 0; i < kinds.size(); ++i) {
      if (kinds[i] == SetKind::must_write && which(i)) kinds[i] = SetKind::may_write;
    }
  };
  const auto build = [&](SetKind kind, ReductionOp op) {
    SetBuilder builder(kernel, instances, array, kind, limits);
    const auto belongs = [&](unsigned i) {
      return !absorbed[i] && kinds[i] == kind && array.accesses[i].op == op;
    };
    for (unsigned i = 0; i < kinds.size(); ++i) {
      if (belongs(i) && array.accesses[i].exact) builder.add(i, images[i]);
    }
    for (unsigned i = 0; i < kinds.size(); ++i) {
      if (belongs(i) && !array.accesses[i].exact && !builder.absorb(i)) builder.add(i, images[i]);
    }
    return builder;
  };
  // What could not be told exactly is not surely written.
  demote([&](unsigned i) { return !images[i] || !images[i]->exact_block; });
  array.sets.clear();
  if (std::ranges::count(kinds, SetKind::must_write) != 0) {
    SetBuilder builder = build(SetKind::must_write, ReductionOp::none);
    for (unsigned i = 0; i < kinds.size(); ++i) {
      if (kinds[i] == SetKind::may_write) absorbed[i] = builder.absorb(i);
    }
    const AccessSet set = builder.finish();
    if (builder.widened()) {
      demote([](unsigned) { return true; });
      absorbed.assign(kinds.size(), false);
    } else {
      array.sets.push_back(set);
    }
  }
  std::set<std::pair<SetKind, ReductionOp>> done = {{SetKind::must_write, ReductionOp::none}};
  for (unsigned i = 0; i < kinds.size(); ++i) {
    const ReductionOp op = array.accesses[i].op;
    if (!absorbed[i] && done.emplace(kinds[i], op).second)
      array.sets.push_back(build(kinds[i], op).finish());
  }
}

}  // namespace gridspan::model
