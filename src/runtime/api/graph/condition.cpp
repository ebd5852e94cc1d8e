// Keeps conditions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/condition.h"

#include <utility>

namespace gridspan::runtime::graph {

void ConditionTable::add(const Graph& owner, std::shared_ptr<Condition> condition) {
  const auto handle = reinterpret_cast<std::uintptr_t>(condition->memory->pointer());
  const std::scoped_lock lock(mutex_);
  entries_[handle] = {&owner, std::move(condition)};
}

std::shared_ptr<Condition> ConditionTable::find(cudaGraphConditionalHandle handle) const {
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(handle);
  return found == entries_.end() ? nullptr : found->second.condition;
}

// Memory goes outside of the lock: giving it back waits for the device.
void ConditionTable::remove(const Graph& owner) {
  std::map<cudaGraphConditionalHandle, Entry> gone;
  const std::scoped_lock lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (entry->second.owner == &owner) gone.insert(entries_.extract(entry));
    entry = next;
  }
}

void ConditionTable::clear() {
  std::map<cudaGraphConditionalHandle, Entry> gone;
  const std::scoped_lock lock(mutex_);
  std::swap(gone, entries_);
}

}  // namespace gridspan::runtime::graph
