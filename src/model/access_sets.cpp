// Access sets: images of the accesses of one kind, united.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/access_sets.h"

#include "model/few_pieces.h"
#include "model/relations.h"
#include "model/unions.h"

#include <algorithm>
#include <set>

namespace gridspan::model {
namespace {

// More basic sets than this make no good footprint function: one hull instead.
constexpr unsigned most_basic_sets = 12;
// ... but for what is read, which may be wider: so many make one, and are not asked for their
// divisions.
constexpr unsigned most_wide_pieces = 24, most_loose_pieces = 48, most_pieces_with_divisions = 24;

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
  bool is_widened() const { return is_widened_; }

 private:
  void name(unsigned index);
  bool touches_the_same(const Access& access);
  void add_piece(const FootprintPiece& piece);
  void make_unbounded();
  OrNull<isl::set> simplified(const isl::set& image);
  OrNull<isl::set> widened(const isl::set& image);
  void simplify(FootprintPiece& piece);

  const Kernel& kernel_;
  Instances& instances_;
  const Array& array_;
  ProofLimits& limits_;
  AccessSet set_;
  std::vector<Member> members_;
  bool has_coarse_ = false;  // some image is
  bool is_widened_ = false;  // larger than the union of its images
  bool bounded_ = true;      // hulls may lose their ends
};

void SetBuilder::make_unbounded() {
  set_.unbounded = true;
  set_.exact_block = set_.exact_part = false;
  set_.pieces.clear();
}

void SetBuilder::name(unsigned index) {
  const Access& access = array_.accesses[index];
  set_.op = access.op;
  if (access.kind == AccessKind::reduction) set_.update_bytes = access.bytes;
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

// As a member does.
bool SetBuilder::touches_the_same(const Access& access) {
  const unsigned shape = instances_.of(access).shape;
  return std::ranges::any_of(
      members_, [&](const Member& member) { return instances_.of(*member.access).shape == shape; });
}

void SetBuilder::add(unsigned index, const std::optional<PartImage>& image) {
  name(index);
  if (set_.unbounded) return;
  if (!image) return make_unbounded();
  const bool again = touches_the_same(array_.accesses[index]);
  members_.push_back({&array_.accesses[index], *image});
  has_coarse_ |= image->is_coarse;
  set_.exact_block &= image->exact_block;
  set_.exact_part &= image->exact_part;
  if (again) return;
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

// The same in few pieces. They may overlap: footprint functions make boxes disjoint once these are
// numbers. Null: there is no such form, or it takes long to find.
OrNull<isl::set> SetBuilder::simplified(const isl::set& image) {
  if (set_.kind == SetKind::read && image.n_basic_set() > most_pieces_with_divisions &&
      image.involves_locals())
    return {};
  OrNull<isl::set> simple;
  bool short_enough = true;
  const bool done = attempt(kernel_.context.ctx(), limits_, [&] {
    simple = has_coarse_ ? within_rows(image, array_.extents) : image;
    if (simple.n_basic_set() > 1) simple = simple.coalesce();
    if (!simple.involves_locals()) return;
    short_enough = within_limit(kernel_.context.ctx(), divisions_operations, [&] {
      simple = isl::manage(isl_set_compute_divs(simple.release()));
    });
  });
  if (!done || !short_enough || simple.n_basic_set() > most_basic_sets) return {};
  return simple;
}

// Something larger: as few pieces as it takes to be tight, or the pieces as they are, or a hull.
// What is wider than the truth may also be wider than a row, whose end is the next one's beginning.
// Null: without bounds.
OrNull<isl::set> SetBuilder::widened(const isl::set& image) {
  OrNull<isl::set> wide;
  const auto is_fine = [&](unsigned most, const std::function<isl::set()>& make) {
    const bool done = attempt(kernel_.context.ctx(), limits_, [&] {
      wide = within_rows(make(), array_.extents);
      if (wide.n_basic_set() > most || !is_bounded(wide)) wide = {};
    });
    if (!done) wide = {};
    return !wide.is_null();
  };
  const auto plain = [&] { return isl::manage(isl_set_remove_divs(image.copy())); };
  is_fine(most_wide_pieces,
          [&] { return in_few_pieces(kernel_, instances_, image, set_.assumptions); }) ||
      is_fine(most_loose_pieces, plain) ||
      is_fine(1, [&] { return isl::manage(isl_set_simple_hull(plain().release())).to_set(); });
  return wide;
}

void SetBuilder::simplify(FootprintPiece& piece) {
  OrNull<isl::set> simple = simplified(piece.image);
  if (simple.is_null()) {
    set_.exact_block = set_.exact_part = false;
    is_widened_ = true;
    simple = widened(piece.image);
    bounded_ &= !simple.is_null();
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

// A reduction's operation and width; nothing for other accesses.
using Update = std::pair<ReductionOp, unsigned>;

Update update_of(const Access& access) {
  if (access.kind != AccessKind::reduction) return {};
  return {access.op, access.bytes};
}

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
  const auto build = [&](SetKind kind, const Update& update) {
    SetBuilder builder(kernel, instances, array, kind, limits);
    const auto belongs = [&](unsigned i) {
      return !absorbed[i] && kinds[i] == kind && update_of(array.accesses[i]) == update;
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
    SetBuilder builder = build(SetKind::must_write, {});
    for (unsigned i = 0; i < kinds.size(); ++i) {
      if (kinds[i] == SetKind::may_write) absorbed[i] = builder.absorb(i);
    }
    const AccessSet set = builder.finish();
    if (builder.is_widened()) {
      demote([](unsigned) { return true; });
      absorbed.assign(kinds.size(), false);
    } else {
      array.sets.push_back(set);
    }
  }
  std::set<std::pair<SetKind, Update>> done = {{SetKind::must_write, {}}};
  for (unsigned i = 0; i < kinds.size(); ++i) {
    const Update update = update_of(array.accesses[i]);
    if (!absorbed[i] && done.emplace(kinds[i], update).second)
      array.sets.push_back(build(kinds[i], update).finish());
  }
}

}  // namespace gridspan::model
