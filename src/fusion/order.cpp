// Whom a block in the middle of the later launch's grid waits for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/order.h"

#include "fusion/glue.h"

namespace gridspan::fusion {

Order order(std::span<const Launch> launches, Conflicts& conflicts, unsigned earlier,
            unsigned later) {
  const model::Kernel &first = *launches[earlier].kernel, &second = *launches[later].kernel;
  for (const model::Kernel* kernel : {&first, &second})
    if (const model::Remark* remark = keeps_apart(*kernel))
      return {false, remark->text, remark->where, {}};
  for (const unsigned launch : {earlier, later})
    if (launches[launch].is_one_block)
      return {false,
              short_name(*launches[launch].kernel) + " has one block",
              launches[launch].kernel->where,
              {}};
  const std::optional<Conflict> all = conflicts.with_most(earlier, later);
  if (!all) return {true, {}, {}, {}};
  const std::string reason =
      all->obstacle.empty()
          ? "a block of " + short_name(second) + " needs most blocks of " + short_name(first)
          : all->obstacle;
  return {false, reason, all->first->where, all->second->where};
}

}  // namespace gridspan::fusion
