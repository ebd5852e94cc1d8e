// Counts as lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/fuse_counts.h"

namespace gridspan::runtime::fuse {

std::string FuseCounts::text() const {
  std::string lines;
  const auto add = [&](const char* name, const Counter& counter) {
    lines += std::string(name) + ' ' + std::to_string(counter.get()) + '\n';
  };
  add("windows", windows);
  add("groups", groups);
  add("chains", chains);
  add("chained_launches", chained);
  add("chain_steps", steps);
  add("fused_kernels", kernels);
  add("fused_launches", fused);
  add("ordered_launches", in_order);
  if (unchecked.get() != 0) add("unchecked_launches", unchecked);
  add("saved_bytes", saved);
  for (const auto& [reason, groups_of_it] : refusals.get())
    lines += "not chained: " + std::to_string(groups_of_it) + ": " + reason + '\n';
  for (const auto& [reason, groups_of_it] : not_kernels.get())
    lines += "not one kernel: " + std::to_string(groups_of_it) + ": " + reason + '\n';
  return lines;
}

}  // namespace gridspan::runtime::fuse
