// Which steps may follow one another in a function, and what is equal then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (...) {            (A, B) without a turn, (B, A) in the next turn of the loop,
//       A(p, q);             (B, C) without a turn
//       swap(p, q);
//       if (x) B(p, q);      (A, A) in the next turn, too: B is there only sometimes
//     }
//     C();
#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include <set>
#include <vector>

namespace gridspan::host_plugin {

/// What runs between two steps that follow one another.
class Stretch {
 public:
  const llvm::Instruction *first, *second;
  const llvm::Loop* turn = nullptr;  // its next turn has the second; null: the same turn
  bool always = false;               // if this turn, or next, goes on, the second follows

  /// Calls in it, as they are met.
  std::vector<const llvm::CallBase*> calls() const;
  /// Some way from the first to the second has no such call.
  bool has_way_without(llvm::function_ref<bool(const llvm::CallBase&)> obstacle) const;

  /// `left`, as it is when the first runs, is what `right` is when the second runs.
  bool is_equal(const llvm::Value& left, const llvm::Value& right) const;

 private:
  friend class StepGraph;
  /// A block on the ways between them, as reached in some turn. The first step's block, of which
  /// only what is behind the step runs, is node 0; of the last node's only what is before the
  /// second.
  struct Node {
    const llvm::BasicBlock* block;
    std::vector<unsigned> before;
  };
  bool is_equal(const llvm::Value& left, const llvm::Value& right, unsigned node,
                unsigned depth) const;
  bool runs(const llvm::Instruction& instruction, const llvm::BitVector& nodes) const;
  llvm::BitVector ways_to(unsigned node) const;
  void add_calls(unsigned node, std::vector<const llvm::CallBase*>& found) const;
  bool is_last(unsigned node) const { return node + 1 == nodes_.size(); }

  std::vector<Node> nodes_;
};

class StepGraph {
 public:
  StepGraph(const llvm::LoopInfo& loops, const std::vector<const llvm::Instruction*>& steps)
      : loops_(loops), steps_(steps.begin(), steps.end()) {}

  /// To the steps that may be next, at most the 8 nearest.
  std::vector<Stretch> after(const llvm::Instruction& step) const;

 private:
  const llvm::Instruction* next_step(const llvm::Instruction* from) const;

  const llvm::LoopInfo& loops_;
  std::set<const llvm::Instruction*> steps_;
};

/// Without what changes no value.
const llvm::Value& plain(const llvm::Value& value);

}  // namespace gridspan::host_plugin
