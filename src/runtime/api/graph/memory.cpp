// Keeps the memory of allocation nodes, and says whose a pointer is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/memory.h"

#include "runtime/api/allocate.h"
#include "runtime/api/call.h"

#include <algorithm>

namespace gridspan::runtime::graph {

Memory::~Memory() {
  state_.graphs.memories.forget(pointer_);
  if (in_use_) return;  // from here on memory like any other
  (void)wait_for_all(state_);
  const Lookup found = state_.memory.table().remove(pointer_, [](MemoryKind) { return true; });
  if (found.is_live()) state_.memory.release(found.allocation);
}

Status MemoryTable::make(Runtime& state, std::size_t size, std::shared_ptr<Memory>& memory) {
  if (size == 0) return refuse(cudaErrorInvalidValue, "an allocation node of no bytes");
  void* pointer = nullptr;
  GRIDSPAN_TRY(allocate(state, &pointer, size, MemoryKind::device));
  memory = std::make_shared<Memory>(state, pointer, size);
  const std::scoped_lock lock(mutex_);
  memories_[pointer] = memory.get();
  note_most();
  return cudaSuccess;
}

Status MemoryTable::make_free(void* pointer, Task& task) {
  const std::scoped_lock lock(mutex_);
  if (!memories_.contains(pointer)) {
    return refuse(cudaErrorInvalidValue, "%p was not allocated by a graph", pointer);
  }
  task = FreeTask{pointer};
  return cudaSuccess;
}

bool MemoryTable::free(const void* pointer) {
  const std::scoped_lock lock(mutex_);
  const auto found = memories_.find(pointer);
  if (found == memories_.end()) return false;
  found->second->set_in_use(false);
  return true;
}

void MemoryTable::use(Memory& memory) {
  const std::scoped_lock lock(mutex_);
  memory.set_in_use(true);
  note_most();
}

MemoryTable::Amount MemoryTable::count() const {
  Amount amount;
  for (const auto& [pointer, memory] : memories_) {
    amount.held += memory->size();
    if (memory->is_in_use()) amount.used += memory->size();
  }
  return amount;
}

void MemoryTable::note_most() {
  const Amount amount = count();
  most_ = {std::max(most_.held, amount.held), std::max(most_.used, amount.used)};
}

MemoryTable::Amount MemoryTable::now() const {
  const std::scoped_lock lock(mutex_);
  return count();
}

MemoryTable::Amount MemoryTable::most() const {
  const std::scoped_lock lock(mutex_);
  return most_;
}

void MemoryTable::restart_held() {
  const std::scoped_lock lock(mutex_);
  most_.held = count().held;
}

void MemoryTable::restart_used() {
  const std::scoped_lock lock(mutex_);
  most_.used = count().used;
}

void MemoryTable::forget(const void* pointer) {
  const std::scoped_lock lock(mutex_);
  memories_.erase(pointer);
}

}  // namespace gridspan::runtime::graph
