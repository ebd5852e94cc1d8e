// The code of several rows of threads at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/vectorise/row_code.h"

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// RowCounters of the loop over rows: so many rows must go alone, from vector `from` on, as a group
/// of them failed there.
struct LoneRows {
  llvm::PHINode *rows, *from;
};

/// Writes the code of one group of rows.
class RowGroup {
 public:
  RowGroup(const RowVectors& vectors, const RowCounters& counters, const RowCode& code,
           unsigned rows);

  void write();
  /// In a block of its own: goes here if a group is left, else to `otherwise`.
  llvm::BasicBlock* write_test(const LoneRows& alone, llvm::BasicBlock* otherwise);
  /// The ways back to the loop over rows: done, or failed.
  void write_ends(const LoneRows& alone);

 private:
  using Map = llvm::DenseMap<const llvm::Value*, llvm::Value*>;
  unsigned rows() const { return maps_.size(); }

  void continue_with(llvm::BasicBlock* block, llvm::Value* thread, llvm::Value* y, llvm::Value* z,
                     const LoneRows& alone, llvm::Value* alone_rows, llvm::Value* from);
  llvm::BasicBlock* block(const llvm::Twine& name);
  void make_blocks();
  llvm::Value* mapped(llvm::Value* value, unsigned row) const;
  /// The counters of each row, and what was computed from them before the loop over vectors.
  void make_rows();
  void write_for(llvm::Instruction& instruction, unsigned row, llvm::IRBuilder<>& builder);
  void write_block(llvm::BasicBlock& original);
  void fill_phis(llvm::BasicBlock& original);

  const RowVectors& vectors_;
  const RowCounters& counters_;
  const RowCode& code_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> copies_;
  std::vector<Map> maps_;  // of values in and before the loop, for each row
  llvm::BasicBlock *entry_ = nullptr, *done_ = nullptr, *broken_ = nullptr;
};

}  // namespace gridspan::transforms
