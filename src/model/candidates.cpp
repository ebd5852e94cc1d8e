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
constexpr std::size_t most = 6;

void add_candidate(const isl::val& number, std::set<long>& found) {
  if (!number.is_int()) return;
  const isl::val size = number.abs();
  if (size.gt(isl::val(number.ctx(), 1)) && size.le(isl::val(number.ctx(), largest))) {
    found.insert(size.num_si());
  }
}

void add_from_constraint(const isl_constraint* given, const std::string& block,
                         std::set<long>& found) {
  auto* constraint = const_cast<isl_constraint*>(given);
  const isl_dim_type types[] = {isl_dim_param, isl_dim_set, isl_dim_div};
  isl_local_space* space = isl_constraint_get_local_space(constraint);
  const int position = isl_local_space_find_dim_by_name(space, isl_dim_param, block.c_str());
  isl_local_space_free(space);
  if (position < 0 ||
      isl_constraint_involves_dims(constraint, isl_dim_param, static_cast<unsigned>(position), 1) !=
          isl_bool_true) {
    return;
  }
  for (isl_dim_type type : types) {
    const int count = isl_constraint_dim(constraint, type);
    for (int i = 0; i < count; ++i) {
      add_candidate(isl::manage(isl_constraint_get_coefficient_val(constraint, type, i)), found);
    }
  }
}

struct Search {
  std::string block;
  std::set<long> found;
};

isl_stat visit(isl_constraint* constraint, void* user) {
  auto* search = static_cast<Search*>(user);
  add_from_constraint(constraint, search->block, search->found);
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

}  // namespace

std::vector<unsigned> granularity_candidates(const Kernel& kernel, Instances& instances,
                                             unsigned axis) {
  Search search;
  for (const Dimension& dimension : kernel.dimensions) {
    const bool index = dimension.kind == Dimension::Kind::block && dimension.axis == axis;
    if (index) search.block = dimension.name;
  }
  if (search.block.empty()) return {};
  for (const Array& array : kernel.arrays) {
    for (const Access& access : array.accesses) {
      if (access.kind == AccessKind::read || access.unbounded) continue;
      instances.of(access).touched.foreach_basic_set([&](const isl::basic_set& piece) {
        isl_basic_set_foreach_constraint(piece.get(), &visit, &search);
      });
    }
  }
  long all = 1;
  for (long number : search.found) all = std::min(std::lcm(all, number), largest + 1);
  if (search.found.size() > 1 && all <= largest) search.found.insert(all);
  std::vector<unsigned> candidates(search.found.begin(), search.found.end());
  if (candidates.size() > most) candidates.resize(most);
  return candidates;
}

}  // namespace gridspan::model
