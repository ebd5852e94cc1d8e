// Whom a block in the middle of the later launch's grid waits for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/order.h"

#include "fusion/glue.h"

namespace gridspan::fusion {

namespace {

/// An atomic operation whose order shows in the result; null: none.
const model::Access* ordered_update(const model::Kernel& kernel) {
  for (const model::Array& array : kernel.arrays)
    for (const model::Access& access : array.accesses)
      if (access.kind == model::AccessKind::atomic || access.op == model::ReductionOp::float_add)
        return &access;
  return nullptr;
}

}  // namespace

Order order(std::span<const Launch> launches, Conflicts& conflicts, unsigned earlier,
            unsigned later) {
  const model::Kernel &first = *launches[earlier].kernel, &second = *launches[later].kernel;
  for (const model::Kernel* kernel : {&first, &second})
    if (const model::Remark* remark = keeps_apart(*kernel))
      return {false, short_name(*kernel) + ": " + remark->text, remark->where, {}};
  for (const model::Kernel* kernel : {&first, &second})
    if (const model::Access* update = ordered_update(*kernel))
      return {false,
              "the order of " + short_name(*kernel) + "'s atomic updates would show",
              update->where,
              {}};
  for (const unsigned launch : {earlier, later})
    if (launches[launch].is_one_block())
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
