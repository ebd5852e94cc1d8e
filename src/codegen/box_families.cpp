// Search for boxes; every candidate is proved to be equal to its set before it is used.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/box_families.h"

#include "codegen/box_union.h"
#include "codegen/isl_code.h"

#include <algorithm>
#include <bit>
#include <set>

namespace gridspan::codegen {

namespace {

/// More disjoint convex pieces than this are not worth code of their own.
constexpr unsigned max_pieces = 24;
/// ... nor more pieces than this worth a box of their own before one is put around all.
constexpr unsigned max_joined = 64;
/// ... nor more boxes of which a launch has one.
constexpr std::size_t max_cases = 6;
/// Bars of crosses have at most so many kinds of exceptions.
constexpr unsigned max_exceptions = 12;
/// As much code is worth to make overlapping boxes disjoint.
constexpr std::size_t max_union_pieces = 48;
/// Residues of a subscript that get a box each (colours of a checkerboard).
constexpr long max_residues = 8;

/// Subscripts `fixed` become parameters.
isl::set fix(isl::set set, const std::vector<unsigned>& fixed) {
  isl::ctx context = set.ctx();
  isl_set* raw = set.release();
  for (auto index = fixed.rbegin(); index != fixed.rend(); ++index) {
    auto end = static_cast<unsigned>(isl_set_dim(raw, isl_dim_param));
    raw = isl_set_move_dims(raw, isl_dim_param, end, isl_dim_set, *index, 1);
    raw = isl_set_set_dim_name(raw, isl_dim_param, end, fixed_name(*index).c_str());
  }
  return checked(context, raw);
}

std::vector<unsigned> others(const std::vector<unsigned>& fixed, unsigned rank) {
  std::vector<unsigned> rest;
  for (unsigned i = 0; i < rank; ++i)
    if (std::ranges::count(fixed, i) == 0) rest.push_back(i);
  return rest;
}

/// The set with all but the subscripts `kept` projected out.
isl::set rows_of(const isl::set& set, const std::vector<unsigned>& kept) {
  if (kept.empty()) return set.params();
  isl_set* raw = set.copy();
  const std::vector<unsigned> gone = others(kept, rank_of(set));
  for (auto index = gone.rbegin(); index != gone.rend(); ++index)
    raw = isl_set_project_out(raw, isl_dim_set, *index, 1);
  raw = isl_set_set_tuple_name(raw, "rows");
  return checked(set.ctx(), raw);
}

/// By what a subscript may be split: the strides that others have once it is fixed, and the
/// divisors in the set's constraints.
std::set<long> moduli_of(const isl::set& set, unsigned split) {
  std::set<long> moduli;
  const isl::set slice = fix(set, {split});
  for (unsigned i = 0; i + 1 < rank_of(set); ++i) moduli.insert(stride_of(slice, i));
  moduli.merge(divisors_of(set));
  std::erase_if(moduli, [](long modulus) { return modulus < 2 || modulus > max_residues; });
  return moduli;
}

std::vector<isl::set> pieces_of(const isl::set& set) {
  std::vector<isl::set> pieces;
  set.foreach_basic_set([&](const isl::basic_set& piece) { pieces.push_back(piece); });
  return pieces;
}

class Search {
 public:
  Search(const std::vector<isl::pw_aff>& extents, const isl::set& facts, Precision precision)
      : extents_(extents), facts_(facts), precision_(precision) {}

  BoxCover cover(const isl::set& elements);

 private:
  bool add_read(const isl::set& set);
  bool add_cases(const isl::set& set);
  bool add_box(const isl::set& set, const std::vector<unsigned>& fixed);
  bool add_residues(const isl::set& set);
  bool add_residues_of(const isl::set& set, unsigned split, long modulus);
  bool add_rows(const isl::set& set);
  bool add_overlapping(const std::vector<isl::set>& boxes, unsigned rank);
  isl::set add_bars(const isl::set& set);
  void add_hull(const isl::set& set);
  void add_elements(const isl::set& set);
  void add(const isl::set& set, const std::vector<unsigned>& fixed, std::vector<BoxRange> ranges);

  const std::vector<isl::pw_aff>& extents_;
  isl::set facts_;
  Precision precision_;
  BoxCover cover_;
};

void Search::add(const isl::set& set, const std::vector<unsigned>& fixed,
                 std::vector<BoxRange> ranges) {
  cover_.families.push_back(
      {fixed, others(fixed, rank_of(set)), rows_of(set, fixed), std::move(ranges)});
}

/// Do the constraints tell that the set is a box?
bool Search::add_read(const isl::set& set) {
  std::optional<Box> box = read_box(set, facts_);
  if (!box) return false;
  cover_.families.push_back({{}, others({}, rank_of(set)), box->condition, std::move(box->ranges)});
  return true;
}

/// Is the set one box if a parameter is positive, say, another one if it is 0, ...?
bool Search::add_cases(const isl::set& set) {
  const std::vector<isl::set> cases = pieces_of(set);
  bool all = cases.size() > 1 && cases.size() <= max_cases;
  for (std::size_t i = 0; all && i < cases.size(); ++i) {
    all = add_read(cases[i]);
    for (std::size_t j = 0; all && j < i; ++j) {
      const isl::set both = cover_.families[i].rows.intersect(cover_.families[j].rows);
      all = both.intersect(facts_).is_empty();
    }
  }
  if (!all) cover_.families.clear();
  return all;
}

/// With the subscripts `fixed` given, is the set a box?
bool Search::add_box(const isl::set& set, const std::vector<unsigned>& fixed) {
  std::optional<Box> box = as_box(fix(set, fixed), facts_);
  if (!box) return false;
  cover_.families.push_back({fixed, others(fixed, rank_of(set)),
                             fixed.empty() ? box->condition : rows_of(set, fixed),
                             std::move(box->ranges)});
  return true;
}

/// Does the set fall into one box for each residue of a subscript? All or nothing.
bool Search::add_residues_of(const isl::set& set, unsigned split, long modulus) {
  const std::size_t before = cover_.families.size();
  const isl::pw_aff residue = subscript(set, split).mod(isl::val(set.ctx(), modulus));
  for (long r = 0; r < modulus; ++r) {
    const isl::set one = set.intersect(residue.eq_set(residue.scale(0).add_constant(r)));
    if (one.is_empty() || add_box(one, {})) continue;
    cover_.families.resize(before);
    return false;
  }
  return true;
}

bool Search::add_residues(const isl::set& set) {
  for (unsigned split = 0; split < rank_of(set); ++split)
    for (long modulus : moduli_of(set, split))
      if (add_residues_of(set, split, modulus)) return true;
  return false;
}

/// Fixes one subscript, then two, ... until the others form a box.
bool Search::add_rows(const isl::set& set) {
  const unsigned rank = rank_of(set);
  for (unsigned count = 1; count < rank; ++count)
    for (unsigned mask = 1; mask < 1u << rank; ++mask) {
      if (std::popcount(mask) != static_cast<int>(count)) continue;
      std::vector<unsigned> fixed;
      for (unsigned i = 0; i < rank; ++i)
        if (mask >> i & 1) fixed.push_back(i);
      if (add_box(set, fixed)) return true;
    }
  return false;
}

/// Is each of these a dense box? They may have elements in common.
bool Search::add_overlapping(const std::vector<isl::set>& boxes, unsigned rank) {
  if (boxes.size() < 2 || union_pieces(boxes.size(), rank) > max_union_pieces) return false;
  bool all = true;
  for (const isl::set& box : boxes) all = all && add_box(box, {});
  for (const BoxFamily& family : cover_.families)
    for (const BoxRange& range : family.ranges) all = all && range.stride == 1 && range.pitch == 0;
  if (all) cover_.overlapping = cover_.families;
  cover_.families.clear();
  return all;
}

/// Stencils read crosses: for each subscript a bar that runs through all its values. Returns what
/// is left: without the point in its middle, a cross that is one point wide has a hole there.
isl::set Search::add_bars(const isl::set& set) {
  if (set.involves_locals() || set.n_basic_set() > max_pieces) return set;
  std::vector<isl::set> bars;
  isl::set all = isl::set::empty(set.space());
  for (unsigned i = 0; i < rank_of(set); ++i) {
    const isl::set bar = bar_of(set, i);
    if (bar.is_subset(all)) continue;
    std::erase_if(bars, [&](const isl::set& other) { return other.is_subset(bar); });
    bars.push_back(bar);
    all = all.unite(bar);
  }
  const isl::set here = set.intersect_params(facts_), there = all.intersect_params(facts_);
  const isl::set other =
      here.subtract(there).params().unite(there.subtract(here).params()).coalesce();
  const isl::set alike = facts_.subtract(other).coalesce();
  if (alike.is_empty() || other.n_basic_set() > max_exceptions) return set;
  if (!add_overlapping(bars, rank_of(set))) return set;
  if (other.is_empty()) return isl::set::empty(set.space());
  for (BoxFamily& bar : cover_.overlapping) bar.rows = bar.rows.intersect(alike);
  return set.intersect_params(other).coalesce();
}

void Search::add_elements(const isl::set& set) { add(set, others({}, rank_of(set)), {}); }

/// A box around each piece, to be joined by code: isl would have to tell apart which is the lowest.
void Search::add_hull(const isl::set& set) {
  cover_.families.clear();
  cover_.exact = false;
  isl::set plain = checked(set.ctx(), isl_set_remove_divs(set.copy()));
  const bool few = plain.n_basic_set() <= max_joined;
  if (precision_ != Precision::one_box && few) {
    // What is far apart stays so: a row of the matrix beside the tile, say.
    for (const isl::set& piece : pieces_of(plain))
      if (!piece.is_empty()) add(piece, {}, hull_of(piece, extents_));
    cover_.apart = cover_.families.size() < 2;
    return;
  }
  if (plain.n_basic_set() > max_joined)
    plain = checked(set.ctx(), isl_set_simple_hull(plain.copy())).to_set();
  for (const isl::set& piece : pieces_of(plain))
    if (!piece.is_empty()) add(piece, {}, hull_of(piece, extents_));
  cover_.joined.swap(cover_.families);
}

BoxCover Search::cover(const isl::set& elements) {
  const isl::ctx context = elements.ctx();
  const isl::set plain =
      checked(context, isl_set_reset_tuple_id(isl_set_drop_unused_params(elements.copy())));
  if (rank_of(plain) == 0) throw Unwritable("no subscripts");
  const isl::set simple = plain.gist_params(facts_).coalesce();
  const bool tries = precision_ == Precision::exact || precision_ == Precision::loose;
  if (tries && (add_read(simple) || add_cases(simple))) return cover_;
  // In one piece: facts with cases would multiply those of the set.
  const isl::set facts = checked(context, isl_set_simple_hull(facts_.copy())).to_set();
  const isl::set set = simple.intersect_params(facts);
  if (set.is_empty()) return cover_;
  if (precision_ == Precision::one_box || precision_ == Precision::pieces) {
    add_hull(set);
    return cover_;
  }
  if (add_box(set, {})) return cover_;
  const isl::set rest = add_bars(set);
  if (rest.is_empty()) return cover_;
  if (cover_.overlapping.empty() && add_overlapping(pieces_of(rest), rank_of(rest))) return cover_;
  const isl::set disjoint = checked(set.ctx(), isl_set_make_disjoint(rest.copy())).coalesce();
  if (disjoint.n_basic_set() > max_pieces) {
    if (precision_ == Precision::exact) throw Unwritable("too many pieces");
    add_hull(rest);
    return cover_;
  }
  for (const isl::set& piece : pieces_of(disjoint)) {
    if (piece.is_empty() || add_box(piece, {}) || add_residues(piece) || add_rows(piece)) continue;
    if (precision_ == Precision::exact) {
      add_elements(piece);
    } else {
      add_hull(rest);
      break;
    }
  }
  return cover_;
}

}  // namespace

std::string fixed_name(unsigned subscript) { return "subscript." + std::to_string(subscript); }

BoxCover cover_with_boxes(const isl::set& elements, const std::vector<isl::pw_aff>& extents,
                          const isl::set& facts, Precision precision) {
  return Search(extents, facts, precision).cover(elements);
}

}  // namespace gridspan::codegen
