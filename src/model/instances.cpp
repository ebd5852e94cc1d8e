// Instances of accesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/instances.h"

#include "model/factors.h"
#include "model/facts.h"
#include "model/part_bounds.h"
#include "model/relations.h"

#include <algorithm>

namespace gridspan::model {

const Instance& Instances::of(const Access& access) {
  const auto found = made_.find(&access);
  if (found != made_.end()) return found->second;
  const std::vector<std::string> names = input_names(access.relation);
  for (const auto& [other, made] : made_) {
    // isl compares dimensions by position: { [k0] -> A[k0] } is not { [blockIdx_x] -> A[blockIdx_x]
    // }.
    if (names != input_names(other->relation)) continue;
    if (isl_map_plain_is_equal(access.relation.get(), other->relation.get()) == isl_bool_true) {
      return made_.emplace(&access, Instance(made)).first->second;
    }
  }
  Instance instance{without_facts(kernel_, access.relation), {}, 0};
  for (const std::string& name : names) {
    // A product of nothing known: no proof can say anything about it.
    if (root_of(kernel_, name) == nullptr) {
      isl::exception::throw_invalid("a dimension that the kernel lacks", __FILE__, __LINE__);
    }
  }
  instance.involved = involved_parameters(instance.touched);
  std::erase_if(instance.involved,
                [&](auto& name) { return find_dimension(kernel_, name) == nullptr; });
  instance.shape = static_cast<unsigned>(made_.size());
  for (const auto& [other, made] : made_) {
    const bool same =
        isl_set_plain_is_equal(instance.touched.get(), made.touched.get()) == isl_bool_true;
    if (same) instance.shape = made.shape;
  }
  return made_.emplace(&access, std::move(instance)).first->second;
}

const isl::set& Instances::facts(const std::vector<std::string>& dimensions) {
  const auto found = facts_.find(dimensions);
  if (found != facts_.end()) return found->second;
  return facts_.emplace(dimensions, instance_facts(kernel_, dimensions)).first->second;
}

const isl::set& Instances::part_facts(const std::vector<std::string>& dimensions) {
  const auto found = part_facts_.find(dimensions);
  if (found != part_facts_.end()) return found->second;
  return part_facts_.emplace(dimensions, model::part_facts(kernel_, dimensions)).first->second;
}

}  // namespace gridspan::model
