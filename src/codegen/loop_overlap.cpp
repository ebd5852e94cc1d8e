// Two iterations of one piece, or of two, intersected in isl.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/loop_overlap.h"

#include "codegen/isl_code.h"
#include "codegen/part_facts.h"
#include "model/factors.h"

namespace gridspan::codegen {

using model::Dimension;
using model::FootprintPiece;
using model::NativeLoop;

namespace {

std::string primed(const std::string& name) { return name + "'"; }

/// The loop's names in `set` get a prime.
isl::set prime(isl::set set, const std::vector<NativeLoop>& loops) {
  isl::ctx context = set.ctx();
  isl_set* raw = set.release();
  auto rename = [&](const std::string& name) {
    const int index = isl_set_find_dim_by_name(raw, isl_dim_param, name.c_str());
    if (index >= 0)
      raw = isl_set_set_dim_name(raw, isl_dim_param, static_cast<unsigned>(index),
                                 primed(name).c_str());
  };
  for (const NativeLoop& loop : loops) {
    rename(loop.counter);
    for (const Dimension& product : loop.products) rename(product.name);
  }
  return checked(context, raw);
}

isl::pw_aff value(isl::ctx context, const std::string& name) {
  return model::parameter_value(context, name);
}

isl::set same(isl::ctx context, const std::string& name) {
  return value(context, name).eq_set(value(context, primed(name)));
}

/// The loop's counter is smaller in the first iteration; by how much its products then differ.
isl::set smaller(const model::Kernel& kernel, const NativeLoop& loop) {
  isl::ctx context = kernel.context.ctx();
  isl::set result = value(context, loop.counter).lt_set(value(context, primed(loop.counter)));
  for (const Dimension& z : loop.products) {
    if (!model::proved_positive(kernel, z.factor)) continue;
    const isl::pw_aff next = value(context, z.name).add(value(context, z.factor));
    result = result.intersect(next.le_set(value(context, primed(z.name))));
  }
  return result;
}

/// Pairs of iterations of which the first comes before the second.
isl::set in_order(const model::Kernel& kernel, const std::vector<NativeLoop>& loops) {
  isl::ctx context = kernel.context.ctx();
  isl::set equal = isl::set::universe(kernel.context.space()),
           result = isl::set::empty(equal.space());
  for (const NativeLoop& loop : loops) {
    result = result.unite(equal.intersect(smaller(kernel, loop)));
    equal = equal.intersect(same(context, loop.counter));
    for (const Dimension& z : loop.products) equal = equal.intersect(same(context, z.name));
  }
  return result;
}

isl::set iteration(const model::Kernel& kernel, const model::AccessSet& set,
                   const FootprintPiece& piece) {
  return piece.image.intersect_params(
      part_facts(kernel, set.assumptions, piece.loops, piece.image));
}

}  // namespace

bool loops_may_overlap(const model::Kernel& kernel, const model::AccessSet& set) {
  for (std::size_t i = 0; i < set.pieces.size(); ++i)
    for (std::size_t j = i; j < set.pieces.size(); ++j) {
      const FootprintPiece &first = set.pieces[i], &second = set.pieces[j];
      if (first.loops.empty() && second.loops.empty()) continue;
      isl::set common = iteration(kernel, set, first)
                            .intersect(prime(iteration(kernel, set, second), second.loops));
      if (i == j) common = common.intersect_params(in_order(kernel, first.loops));
      if (!common.is_empty()) return true;
    }
  return false;
}

}  // namespace gridspan::codegen
