// The code of one vector of threads, and what in it depends on their row or their columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/vectorise/rows.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace gridspan::transforms {

/// The counters of make_thread_loop (thread_loop.h), as far as they are used: no x where all rows
/// begin at their beginning.
struct RowCounters {
  llvm::PHINode *thread = nullptr, *x = nullptr, *y = nullptr, *z = nullptr;
  llvm::BasicBlock *outside = nullptr, *next_row = nullptr;
  llvm::Value *last = nullptr, *size_y = nullptr;

  bool are_complete() const { return thread && y && last && size_y; }
};

/// Tells the counters by how they change; any other value carried around is in the way.
std::optional<RowCounters> find_counters(const RowVectors& vectors);

/// What a value is another for.
struct Dependence {
  bool row = false, column = false;  // threadIdx.y; which vector of the row
};

/// The code to jam, and what in it depends on the row, or on which vector of the row it is.
class RowCode {
 public:
  RowCode(const RowVectors& vectors, const RowCounters& counters);

  llvm::ArrayRef<llvm::BasicBlock*> blocks() const { return blocks_; }
  Dependence dependence(const llvm::Value* value) const {
    return {by_row_.contains(value), by_column_.contains(value)};
  }
  bool is_small() const;
  bool is_fit() const;
  /// The loop does not become large.
  bool is_bearable() const;
  /// Loads that several rows share weigh enough, and the loop does not become large.
  bool is_worthwhile() const;
  /// Neighbouring vectors can go together, too, and share what inner loops load for a row.
  bool has_columns() const;

 private:
  /// The fast version's blocks, each after those before it.
  void collect();
  bool is_inside(const llvm::Instruction& instruction) const;
  using Values = llvm::DenseSet<const llvm::Value*>;
  /// From the values `open` on, through everything but the number of threads, which whole rows
  /// share.
  Values find_dependent(llvm::SmallVector<const llvm::Value*> open) const;
  bool is_fit(const llvm::BasicBlock& block) const;
  bool goes_on_if(const llvm::BranchInst& branch) const;
  void weigh(llvm::BasicBlock& block);
  bool is_in_inner_loop(llvm::BasicBlock& block) const;

  const RowVectors& vectors_;
  const RowCounters& counters_;
  std::vector<llvm::BasicBlock*> blocks_;
  Values by_row_, by_column_;
  unsigned size_ = 0;
  double all_ = 0, shared_ = 0;  // work; loads of vectors among it that rows share
  bool shares_columns_ = false;  // inner loops load for a row what is the same in all its vectors
};

}  // namespace gridspan::transforms
