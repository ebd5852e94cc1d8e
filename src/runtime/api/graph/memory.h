// Memory that belongs to a graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An allocation node has one address for the graph's whole life, so the memory is there for as long
// as the graph, what was cloned or instantiated from it, or the program's own use of it. Freeing it
// (by a node or by the program) only notes that nobody needs its contents.
#pragma once

#include "runtime/api/graph/task.h"
#include "runtime/api/status.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace gridspan::runtime::graph {

class Memory {
 public:
  Memory(Runtime& state, void* pointer, std::size_t size)
      : state_(state), pointer_(pointer), size_(size) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  /// Gives the memory back, or leaves it to the program's cudaFree if that is still to come.
  ~Memory();

  void* pointer() const { return pointer_; }
  std::size_t size() const { return size_; }
  bool is_in_use() const { return in_use_; }
  /// Of a MemoryTable, which guards it.
  void set_in_use(bool in_use) { in_use_ = in_use; }

 private:
  Runtime& state_;
  void* pointer_;
  std::size_t size_;
  bool in_use_ = false;  // allocated by a launch and not freed since
};

/// Thread safe.
class MemoryTable {
 public:
  /// Allocates memory for a node.
  Status make(Runtime& state, std::size_t size, std::shared_ptr<Memory>& memory);

  /// The task of a node that frees memory of a graph.
  Status make_free(void* pointer, Task& task);

  /// A launch allocates it.
  void use(Memory& memory);

  /// True if `pointer` is a graph's memory, which is then noted as free.
  bool free(const void* pointer);

  void forget(const void* pointer);

  /// Bytes of all graphs' memory, and those that launches have in use.
  struct Amount {
    std::size_t held = 0, used = 0;
  };
  Amount now() const;
  /// The most there was since it was last asked to start again.
  Amount most() const;
  void restart_held();
  void restart_used();

 private:
  Amount count() const;  // expects the lock
  void note_most();      // the same

  mutable std::mutex mutex_;
  Amount most_;
  std::unordered_map<const void*, Memory*> memories_;
};

}  // namespace gridspan::runtime::graph
