// What the run time keeps for CUDA graphs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/graph/capture.h"
#include "runtime/api/graph/condition.h"
#include "runtime/api/graph/executable.h"
#include "runtime/api/graph/memory.h"

namespace gridspan::runtime::graph {

struct Tables {
  MemoryTable memories;
  ConditionTable conditions;
  UserObjectTable user_objects;
  NodeTable nodes;
  GraphTable graphs;
  ExecutableTable executables;
  CaptureTable captures{nodes};

  /// Destroys every graph and ends every capture.
  void clear() {
    captures.clear();
    executables.clear();
    graphs.clear();
    conditions.clear();
  }
};

}  // namespace gridspan::runtime::graph
