// Loops run over what their products reach in the image; within them images are boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/footprint_writer.h"

#include "codegen/part_facts.h"
#include "model/factors.h"

#include <algorithm>

namespace gridspan::codegen {

using namespace llvm;
using model::AccessSet;
using model::Dimension;
using model::FootprintPiece;
using model::NativeLoop;

/// A part without blocks touches nothing.
Value* FootprintWriter::some_block() {
  Value* all = builder_.getTrue();
  for (unsigned axis = 0; axis < 3; ++axis)
    all = builder_.CreateAnd(
        all, builder_.CreateICmpSLE(values_.part(axis, false), values_.part(axis, true)));
  return all;
}

namespace {

/// Pieces without loops go together: their boxes are disjoint whatever the pieces were.
std::vector<FootprintPiece> pieces_of(const AccessSet& set) {
  std::vector<FootprintPiece> pieces;
  model::OrNull<isl::set> plain;
  for (const FootprintPiece& piece : set.pieces) {
    if (!piece.loops.empty())
      pieces.push_back(piece);
    else
      plain = plain.is_null() ? isl::set(piece.image) : plain.unite(piece.image);
  }
  if (!plain.is_null()) pieces.insert(pieces.begin(), FootprintPiece{{}, plain});
  return pieces;
}

/// `facts` without what the loops from `depth` on define, but with `kept`.
isl::set outside(const isl::set& facts, const FootprintPiece& piece, std::size_t depth,
                 const std::string& kept = {}) {
  std::vector<std::string> inner;
  for (std::size_t i = depth; i < piece.loops.size(); ++i) {
    inner.push_back(piece.loops[i].counter);
    for (const Dimension& product : piece.loops[i].products) inner.push_back(product.name);
  }
  std::erase(inner, kept);
  return model::project_out_parameters(facts, inner);
}

}  // namespace

void FootprintWriter::write() {
  isl::set everywhere = isl::set::universe(kernel_.context.space());
  code(everywhere).when(some_block(), [&] {
    for (const FootprintPiece& part : pieces_of(set_)) piece(part);
  });
  builder_.CreateRetVoid();
  values_.close();
}

void FootprintWriter::piece(const FootprintPiece& piece) {
  const isl::set facts = part_facts(kernel_, set_.assumptions, piece.loops, piece.image);
  if (piece.image.intersect_params(facts).is_empty()) return;
  loops(piece, 0, facts);
}

/// The loops from `depth` on. A counter runs over the values its products can have in the image, so
/// the footprint of a grid-stride loop makes as many turns as the kernel does.
void FootprintWriter::loops(const FootprintPiece& piece, std::size_t depth, const isl::set& facts) {
  if (depth == piece.loops.size()) return images(piece, facts);
  const NativeLoop& loop = piece.loops[depth];
  const isl::set known = outside(facts, piece, depth);
  IslCode here = code(known);
  here.when(here.condition(outside(piece.image.params(), piece, depth).gist(known)), [&] {
    const Ends ends = counter_ends(piece, depth, facts);
    const double bound = std::max(ends.first.bound, ends.last.bound);
    here.loop(ends.first.value, ends.last.value, builder_.getInt64(1), [&](Value* counter) {
      values_.define(loop.counter, {counter, bound});
      for (const auto& [product, product_bound] : ends.product_bounds)
        values_.define(
            product, {builder_.CreateMul(counter, factor_of(loop, product).value), product_bound});
      loops(piece, depth + 1, facts);
    });
  });
  values_.forget(loop.counter);
  for (const Dimension& product : loop.products) values_.forget(product.name);
}

Number FootprintWriter::factor_of(const NativeLoop& loop, const std::string& product) {
  return values_(std::ranges::find(loop.products, product, &Dimension::name)->factor);
}

FootprintWriter::Ends FootprintWriter::counter_ends(const FootprintPiece& piece, std::size_t depth,
                                                    const isl::set& facts) {
  const NativeLoop& loop = piece.loops[depth];
  // Facts in one piece: a loop that makes some turns too many touches nothing in them.
  const isl::set known = checked(facts.ctx(), isl_set_simple_hull(facts.copy())).to_set();
  const isl::set image = piece.image.params().intersect(known);
  const std::vector<std::string> involved = model::involved_parameters(piece.image);
  IslCode here = code(outside(facts, piece, depth));
  Ends ends{{builder_.getInt64(0), 0}, {}, {}};
  if (!loop.last.is_null()) ends.last = here.number(loop.last);
  const Extremes own = extremes_of(outside(image, piece, depth, loop.counter), loop.counter);
  narrow(ends, own, nullptr, here);
  for (const Dimension& product : loop.products) {
    if (std::ranges::count(involved, product.name) == 0) continue;
    const Number factor = values_(product.factor);
    double& bound = ends.product_bounds[product.name] = 0;
    const isl::set positive = model::parameter_value(facts.ctx(), product.factor)
                                  .ge_set(model::constant_value(facts.ctx(), 1));
    if (model::proved_positive(kernel_, product.factor) || image.is_subset(positive))
      bound = narrow(ends, extremes_of(outside(image, piece, depth, product.name), product.name),
                     factor.value, here);
    if (bound == 0) bound = -factor.bound;  // times the counter's bound, once that is known
  }
  if (!ends.last.value) throw Unwritable("a loop without end");
  const double counter_bound = std::max(ends.first.bound, ends.last.bound);
  for (auto& [name, bound] : ends.product_bounds) {
    if (bound >= 0) continue;
    bound *= -counter_bound;
    constexpr auto limit = static_cast<double>(largest_parameter);
    if (bound <= limit) continue;
    turns_.emplace_back(std::ranges::find(loop.products, name, &Dimension::name)->factor,
                        last_turn(loop, outside(facts, piece, depth)));
    bound = limit;
  }
  return ends;
}

/// The last value of the loop's counter in any part of a launch.
isl::pw_aff FootprintWriter::last_turn(const NativeLoop& loop, const isl::set& facts) {
  if (loop.last.is_null()) throw Unwritable("nothing bounds the turns of a loop");
  const isl::set turns = loop.last.bind("turn").intersect(facts);
  std::vector<std::string> parts;
  for (std::string& name : model::involved_parameters(turns))
    if (name != "turn" && !model::find_parameter(kernel_, name)) parts.push_back(std::move(name));
  const Extremes ends = extremes_of(model::project_out_parameters(turns, parts), "turn");
  if (!ends.has_greatest()) throw Unwritable("nothing bounds the turns of a loop");
  return above(ends);
}

/// Keeps counters whose product with `factor` (null: 1) is between `extremes`. Returns the bound of
/// such products, 0 if there is none.
double FootprintWriter::narrow(Ends& ends, const Extremes& extremes, Value* factor, IslCode& code) {
  // At least one wherever the footprint is used; no trap elsewhere.
  if (factor)
    factor = builder_.CreateBinaryIntrinsic(Intrinsic::smax, factor, builder_.getInt64(1));
  double bound = 0;
  if (extremes.has_least()) {
    Number least = codegen::least(code, extremes);
    bound = least.bound;
    if (factor) least.value = ceiling_division(builder_, least.value, factor);
    ends.first.value =
        builder_.CreateBinaryIntrinsic(Intrinsic::smax, ends.first.value, least.value);
    ends.first.bound = std::max(ends.first.bound, least.bound);
  }
  if (!extremes.has_greatest()) return 0;
  Number greatest = codegen::greatest(code, extremes);
  const double product_bound = std::max(bound, greatest.bound);
  if (factor) greatest.value = floor_division(builder_, greatest.value, factor);
  if (ends.last.value) {
    greatest.value =
        builder_.CreateBinaryIntrinsic(Intrinsic::smin, ends.last.value, greatest.value);
    greatest.bound = std::min(ends.last.bound, greatest.bound);
  }
  ends.last = greatest;
  return product_bound;
}

void FootprintWriter::images(const FootprintPiece& piece, const isl::set& facts) {
  const BoxCover cover = cover_with_boxes(piece.image, extents_, facts, precision_);
  exact_ &= cover.exact;
  apart_ &= cover.apart;
  boxes_.write(cover, facts);
}

}  // namespace gridspan::codegen
