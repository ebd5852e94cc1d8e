// The rules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/conflicts.h"

#include "runtime/plan/private_shares.h"

#include <algorithm>

namespace gridspan::runtime {

using abi::SetKind;

namespace {

/// Whether anything in the buffer is read by the kernel itself.
bool is_read(const Attempt& attempt, std::size_t buffer) {
  return std::ranges::any_of(attempt.uses, [&](const SetUse& use) {
    return use.buffer == buffer && use.set->kind == SetKind::read;
  });
}

/// Whether changes of several parts may be found by comparison and put together: each element has
/// one writer (or all write the same), and no part waits for another's.
bool can_merge(const Attempt& attempt, const SetUse& use, bool injective) {
  switch (use.set->kind) {
    case SetKind::write_same:
      return true;
    case SetKind::must_write:
    case SetKind::may_write:
      return injective || !is_read(attempt, use.buffer);
    case SetKind::read:
    case SetKind::reduction:
    case SetKind::atomic:
      break;
  }
  return false;
}

}  // namespace

std::optional<std::string> settle_conflicts(Attempt& attempt, std::uint32_t obstacles,
                                            bool injective) {
  const bool order_matters = (obstacles & (abi::obstacle_fence | abi::obstacle_volatile)) != 0;
  for (SetUse& a : attempt.uses) {
    if (!is_write(a.set->kind) || attempt.buffers[a.buffer]->is_shared) continue;
    for (SetUse& b : attempt.uses) {
      const bool race = b.set->kind == SetKind::read;
      if (race && !order_matters) continue;
      if (!race && &b < &a) continue;
      if (!conflict(attempt, a, b)) continue;
      if (race) return "parts read elements that others write: " + b.name();
      if (updates_alike(a, b)) {
        a.reduced = b.reduced = true;
        continue;
      }
      for (SetUse* use : {&a, &b}) {
        if (!can_merge(attempt, *use, injective)) return "several parts write " + use->name();
        use->merged = true;
      }
    }
  }
  return settle_reductions(attempt);
}

}  // namespace gridspan::runtime
