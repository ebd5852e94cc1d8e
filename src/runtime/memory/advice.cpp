// Stretches of addresses with the same advice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/advice.h"

#include <iterator>

namespace gridspan::runtime {

void AdviceTable::cut(std::uintptr_t at) {
  const auto before = std::prev(stretches_.upper_bound(at));
  if (before->first != at) stretches_.emplace_hint(std::next(before), at, before->second);
}

Advice AdviceTable::common(const void* base, std::size_t size) const {
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  const std::scoped_lock lock(mutex_);
  auto at = std::prev(stretches_.upper_bound(first));
  Advice common = at->second;
  for (++at; at != stretches_.end() && at->first < first + size; ++at) {
    const Advice& other = at->second;
    common.read_mostly &= other.read_mostly;
    common.accessed_by &= other.accessed_by;
    if (common.preferred != other.preferred) common.preferred = Advice::none;
    if (common.prefetched != other.prefetched) common.prefetched = Advice::none;
  }
  return common;
}

void AdviceTable::forget(std::uintptr_t base, std::size_t size) {
  if (size == 0) return;
  const std::scoped_lock lock(mutex_);
  if (stretches_.size() == 1) return;
  cut(base);
  cut(base + size);
  const auto first = stretches_.find(base);
  first->second = {};
  stretches_.erase(std::next(first), stretches_.find(base + size));
  // Stretches without advice that touch are one.
  const auto after = std::next(first);
  if (after != stretches_.end() && after->second == Advice{}) stretches_.erase(after);
  if (first != stretches_.begin() && std::prev(first)->second == Advice{}) stretches_.erase(first);
}

}  // namespace gridspan::runtime
