// Values that kernels set and conditional nodes test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/graph/memory.h"

#include <map>
#include <memory>
#include <mutex>

namespace gridspan::runtime::graph {

/// The program's handle is the device address of the value.
struct Condition {
  std::shared_ptr<Memory> memory;
  unsigned default_value = 0;
  bool starts_as_default = false;  // at each launch of the graph
};

/// Conditions by their handles, until their graph is destroyed. Thread safe.
class ConditionTable {
 public:
  void add(const Graph& owner, std::shared_ptr<Condition> condition);
  /// Null if there is no such condition.
  std::shared_ptr<Condition> find(cudaGraphConditionalHandle handle) const;
  void remove(const Graph& owner);
  void clear();

 private:
  struct Entry {
    const Graph* owner;
    std::shared_ptr<Condition> condition;
  };
  mutable std::mutex mutex_;
  std::map<cudaGraphConditionalHandle, Entry> entries_;
};

}  // namespace gridspan::runtime::graph
