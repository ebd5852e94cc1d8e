// What cutting the grid along an axis costs: bytes that the two sides of a cut both need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both halves of the grid read the halo of a stencil, all of a matrix that every block multiplies
// with, and so on: data that must be in two places. To that comes what one half reads and the other
// writes. The overlap is measured as the box around it, at one plausible launch (sample_launch.h).
// How its sides change when one parameter does gives the formula for a person: far cheaper than
// asking isl for it, and about the launches that matter.
#include "model/access_sets.h"
#include "model/factors.h"
#include "model/part_bounds.h"
#include "model/part_image.h"
#include "model/proof.h"
#include "model/relations.h"
#include "model/sample_launch.h"

#include <algorithm>
#include <tuple>

namespace gridspan::model {
namespace {

constexpr double unknown_bytes = 1e12;  // an array nobody knows how much of is needed
constexpr long difference = 8;          // by which parameters are changed to see what follows

using Sides = std::vector<long>;  // of a box; empty: no elements

const Dimension* block_of_axis(const Kernel& kernel, unsigned axis) {
  for (const Dimension& dimension : kernel.dimensions) {
    if (dimension.kind == Dimension::Kind::block && dimension.axis == axis) return &dimension;
  }
  return nullptr;
}

// The images of one array, in the parameters of a part.
struct Touched {
  const Array* array = nullptr;
  OrNull<isl::set> read, written;  // null: nothing
  bool unknown = false;
};

void unite(OrNull<isl::set>& all, const isl::set& more) {
  all = all.is_null() ? more : all.unite(more);
}

// The known image if no loop runs over it, or a coarse one; null if it has no bounds.
OrNull<isl::set> image_of(Proof& proof, const Access& access) {
  const std::optional<PartImage> known = proof.images.of(access);
  if (!known) return {};
  if (known->piece.loops.empty()) return known->piece.image;
  const isl::set image = coarse_part_image(proof.kernel, proof.instances, access).piece.image;
  return is_bounded(image) ? OrNull<isl::set>(image) : OrNull<isl::set>();
}

Touched touched(Proof& proof, const Array& array) {
  Touched result;
  result.array = &array;
  for (const Access& access : array.accesses) {
    OrNull<isl::set> image;
    if (!proof.within([&] { image = image_of(proof, access); }) || image.is_null()) {
      result.unknown = true;
      continue;
    }
    if (access.kind != AccessKind::write) unite(result.read, image);
    if (access.kind != AccessKind::read) unite(result.written, image);
  }
  // One hull without holes: this is an estimate, and pairs of pieces are many.
  for (OrNull<isl::set>* image : {&result.read, &result.written}) {
    if (image->is_null() || (image->n_basic_set() == 1 && !image->involves_locals())) continue;
    result.unknown |= !proof.within([&] {
      *image = isl::manage(isl_set_simple_hull(isl_set_remove_divs(image->copy()))).to_set();
    });
  }
  return result;
}

Sides sides_of(const isl::set& concrete) {
  Sides sides;
  if (concrete.is_empty()) return sides;
  const int rank = isl_set_dim(concrete.get(), isl_dim_set);
  for (int i = 0; i < rank; ++i) {
    const isl::val first = isl::manage(isl_set_dim_min_val(concrete.copy(), i));
    const isl::val last = isl::manage(isl_set_dim_max_val(concrete.copy(), i));
    sides.push_back(last.sub(first).num_si() + 1);
  }
  return sides;
}

// A cut across an axis, in the middle of the grid.
class Cut {
 public:
  Cut(Proof& proof, unsigned axis)
      : proof_(proof), kernel_(proof.kernel), block_(*block_of_axis(kernel_, axis)) {}

  void add(const Touched& touched, const Values& launch);
  double bytes() const { return bytes_; }
  double rows() const { return rows_; }
  std::string text() const { return text_.empty() ? "nothing" : text_; }

 private:
  isl::set half(const isl::set& image, const Values& launch, bool upper) const;
  Sides overlap(const Touched& touched, const Values& launch) const;
  std::string formula(const Touched& touched, const Values& launch, const Sides& sides) const;
  void say(const std::string& text) { text_ += (text_.empty() ? "" : " + ") + text; }

  Proof& proof_;
  const Kernel& kernel_;
  const Dimension& block_;
  double bytes_ = 0, rows_ = 0;
  std::string text_;
};

// What the blocks below the cut touch, or those above it.
isl::set Cut::half(const isl::set& image, const Values& launch, bool upper) const {
  Values part = launch;
  for (const Dimension& dimension : kernel_.dimensions) {
    const Dimension* root = root_of(kernel_, dimension.name);
    if (root == nullptr || root->kind != Dimension::Kind::block) continue;
    const auto extent = launch.find(extent_of(kernel_, *root));
    const long blocks = extent == launch.end() ? 1 : extent->second;
    const long first = root == &block_ && upper ? blocks / 2 : 0;
    const long last = root == &block_ && !upper ? blocks / 2 - 1 : blocks - 1;
    part[part_first(dimension.name)] = product_value(kernel_, dimension.name, first, launch);
    part[part_last(dimension.name)] = product_value(kernel_, dimension.name, last, launch);
  }
  return with_values(image, part);
}

// The box around what both sides need.
Sides Cut::overlap(const Touched& touched, const Values& launch) const {
  OrNull<isl::set> below[2], above[2], common;
  const OrNull<isl::set>* images[] = {&touched.read, &touched.written};
  for (unsigned i = 0; i < 2; ++i) {
    if (images[i]->is_null()) continue;
    below[i] = half(*images[i], launch, false);
    above[i] = half(*images[i], launch, true);
  }
  const auto meet = [&](const OrNull<isl::set>& one, const OrNull<isl::set>& other) {
    if (!one.is_null() && !other.is_null()) unite(common, one.intersect(other));
  };
  meet(below[0], above[0]);
  meet(below[1], above[0]);
  meet(below[0], above[1]);
  return common.is_null() ? Sides() : sides_of(common);
}

void Cut::add(const Touched& touched, const Values& launch) {
  if (touched.unknown) {
    bytes_ += unknown_bytes;
    return say("all of " + touched.array->name);
  }
  Sides sides;
  std::string text;
  if (!proof_.within([&] {
        sides = overlap(touched, launch);
        if (!sides.empty()) text = formula(touched, launch, sides);
        if (touched.written.is_null()) return;
        // Runs of elements that lie together in memory: a part of few runs needs few copies.
        const Sides written = sides_of(half(touched.written, launch, false));
        double runs = 1;
        for (std::size_t i = 0; i + 1 < written.size(); ++i)
          runs *= static_cast<double>(written[i]);
        rows_ += runs;
      })) {
    bytes_ += unknown_bytes;
    return say("an unknown part of " + touched.array->name);
  }
  if (sides.empty()) return;
  double bytes = touched.array->element_bytes;
  for (long side : sides) bytes *= static_cast<double>(side);
  bytes_ += bytes;
  say(text + " bytes (" + touched.array->name + ")");
}

// One side of the box as a sum of parameters.
struct Sum {
  std::string text;
  unsigned terms = 0;
  void add(long coefficient, const std::string& name) {
    if (coefficient == 0) return;
    const long size = std::abs(coefficient);
    std::string term = size == 1 && !name.empty() ? name : std::to_string(size);
    if (size != 1 && !name.empty()) term += "*" + name;
    if (terms++ == 0) {
      text = (coefficient < 0 ? "-" : "") + term;
    } else {
      text += (coefficient < 0 ? " - " : " + ") + term;
    }
  }
};

// Arguments are made smaller and extents larger: whatever reaches just to the end of the grid is
// then told by its argument.
std::string Cut::formula(const Touched& touched, const Values& launch, const Sides& sides) const {
  std::vector<Sum> sums(sides.size());
  Sides constants = sides;
  for (const Parameter& parameter : kernel_.parameters) {
    using Kind = Parameter::Kind;
    if (parameter.kind == Kind::product || parameter.kind == Kind::expression) continue;
    if (launch.at(parameter.name) == 1 && parameter.kind != Kind::argument) continue;  // not in use
    const long change = parameter.kind == Kind::argument ? -difference : difference;
    const Sides other = overlap(touched, changed(kernel_, launch, parameter.name, change));
    for (std::size_t i = 0; i < sides.size() && i < other.size(); ++i) {
      if ((other[i] - sides[i]) % change != 0) continue;
      const long slope = (other[i] - sides[i]) / change;
      sums[i].add(slope, parameter.name);
      constants[i] -= slope * launch.at(parameter.name);
    }
  }
  long number = touched.array->element_bytes;
  std::string text;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sums[i].add(constants[i], "");
    if (sums[i].terms == 1 && constants[i] == sides[i]) {
      number *= sides[i];
    } else {
      text += sums[i].terms == 1 ? "*" + sums[i].text : "*(" + sums[i].text + ")";
    }
  }
  return std::to_string(number) + text;
}

}  // namespace

void estimate_costs(Proof& proof) {
  Kernel& kernel = proof.kernel;
  kernel.suggested_axis = -1;
  for (AxisSplit& split : kernel.axes) split.cost.clear();
  Values launch;
  if (!proof.within([&] { launch = sample_launch(kernel); })) return;
  std::vector<Touched> images;
  for (const Array& array : kernel.arrays) {
    if (is_shared_by_blocks(array)) images.push_back(touched(proof, array));
  }
  using Rank = std::tuple<bool, double, double>;
  std::optional<Rank> best;
  for (unsigned axis = 0; axis < 3; ++axis) {
    AxisSplit& split = kernel.axes[axis];
    if (split.legal.is_empty() || block_of_axis(kernel, axis) == nullptr) continue;
    Cut cut(proof, axis);
    for (const Touched& one : images) cut.add(one, launch);
    split.cost = cut.text();
    bool illegal_here = true;
    proof.within([&] {
      illegal_here = split.legal.intersect(fixed(kernel.context.ctx(), launch)).is_empty();
    });
    const Rank rank{illegal_here, cut.bytes(), cut.rows()};
    if (best && *best <= rank) continue;
    best = rank;
    kernel.suggested_axis = static_cast<int>(axis);
  }
}

}  // namespace gridspan::model
