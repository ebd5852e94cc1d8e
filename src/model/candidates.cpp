// Candidates for granularity, read off the constraints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A subscript i = floor(b/g) is  g*i <= b <= g*i + g - 1  in isl: g is a coefficient of a
// constraint on the block index, or the denominator of a division. Which of these it is does not
// matter here: what a candidate is good for is proved afterwards.
#include "model/candidates.h"

#include <cstdlib>
#include <numeric>
#include <set>

namespace gridspan::model {
namespace {

constexpr long largest = 256;
constexpr std::size_t most_candidates = 6;

void add_candidate(const isl::val& number, std::set<long>& found) {
  if (!number.is_int()) return;
  const isl::val size = number.abs();
  if (size.gt(isl::val(number.ctx(), 1)) && size.le(isl::val(number.ctx(), largest))) {
    found.insert(size.num_si());
  }
}

void add_from_constraint(isl_constraint* constraint, const std::string& block,
                         std::set<long>& found) {
  const isl_dim_type types[] = {isl_dim_param, isl_dim_set, isl_dim_div};
  const isl::ctx context(isl_constraint_get_ctx(constraint));
  isl_local_space* space = isl_constraint_get_local_space(constraint);
  const int position = isl_local_space_find_dim_by_name(space, isl_dim_param, block.c_str());
  isl_local_space_free(space);
  if (position < 0 ||
      !is_true(context, isl_constraint_involves_dims(constraint, isl_dim_param,
                                                     static_cast<unsigned>(position), 1))) {
    return;
  }
  for (isl_dim_type type : types) {
    const int count = isl_constraint_dim(constraint, type);
    for (int i = 0; i < count; ++i) {
      add_candidate(isl::manage(isl_constraint_get_coefficient_val(constraint, type, i)), found);
    }
  }
}

}  // namespace

std::vector<unsigned> granularity_candidates(const Kernel& kernel, Instances& instances,
                                             unsigned axis) {
  std::string block;
  std::set<long> found;
  for (const Dimension& dimension : kernel.dimensions) {
    const bool index = dimension.kind == Dimension::Kind::block && dimension.axis == axis;
    if (index) block = dimension.name;
  }
  if (block.empty()) return {};
  for (const Array& array : kernel.arrays) {
    for (const Access& access : array.accesses) {
      if (access.kind == AccessKind::read || access.unbounded) continue;
      instances.of(access).touched.foreach_basic_set([&](const isl::basic_set& piece) {
        for_each_constraint(piece,
                            [&](isl_constraint* each) { add_from_constraint(each, block, found); });
      });
    }
  }
  long all = 1;
  for (long number : found) all = std::min(std::lcm(all, number), largest + 1);
  if (found.size() > 1 && all <= largest) found.insert(all);
  std::vector<unsigned> candidates(found.begin(), found.end());
  if (candidates.size() > most_candidates) candidates.resize(most_candidates);
  return candidates;
}

}  // namespace gridspan::model
