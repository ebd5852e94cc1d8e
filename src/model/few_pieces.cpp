// Fewer pieces: isl joins those whose difference no part of a launch shows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Example: a tile read with its halo, each subscript clamped to the array. Every access has a piece
// for each way in which its subscripts may be clamped; most of them lie beside one another, but
// only where the first block of a part is not behind its last.
#include "model/few_pieces.h"

#include "model/facts.h"
#include "model/part_bounds.h"

#include <algorithm>
#include <set>

namespace gridspan::model {
namespace {

using NameList = std::vector<std::string>;

bool speaks_of(const NameList& names, const isl::set& condition) {
  return std::ranges::all_of(involved_parameters(condition), [&](const std::string& name) {
    return std::ranges::count(names, name) != 0;
  });
}

// What holds of the parts and launches that `names` describe.
isl::set part_of_launch(const Kernel& kernel, Instances& instances, const NameList& names,
                        const std::vector<unsigned>& assumptions) {
  NameList blocks;
  for (const Dimension& dimension : kernel.dimensions) {
    if (std::ranges::count(names, part_first(dimension.name)) != 0 ||
        std::ranges::count(names, part_last(dimension.name)) != 0)
      blocks.push_back(dimension.name);
  }
  isl::set facts = instances.part_facts(blocks).intersect(relevant_context(kernel, names));
  for (unsigned index : assumptions) {
    const Assumption& assumption = kernel.assumptions[index];
    if (assumption.kind == Assumption::Kind::holds && assumption.condition.n_basic_set() == 1 &&
        speaks_of(names, assumption.condition))
      facts = facts.intersect(assumption.condition);
  }
  return facts;
}

}  // namespace

isl::set in_few_pieces(const Kernel& kernel, Instances& instances, const isl::set& image,
                       const std::vector<unsigned>& assumptions) {
  const isl::set wide = isl::manage(isl_set_remove_divs(image.copy()));
  const isl::set facts = part_of_launch(kernel, instances, involved_parameters(wide), assumptions);
  return wide.intersect_params(facts).coalesce().gist_params(facts);
}

}  // namespace gridspan::model
