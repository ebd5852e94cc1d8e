// The code of several rows of threads at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/vectorise/panels.h"

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// RowCounters of the loop over rows: so many rows must go alone, from vector `from` on, as a group
/// of them failed there.
struct LoneRows {
  llvm::PHINode *rows, *from;
};

/// How many rows, and how many neighbouring vectors of each, go together.
struct GroupSize {
  unsigned rows, columns;
};

/// Writes the code of one group of rows.
class RowGroup {
 public:
  RowGroup(const RowVectors& vectors, const RowCounters& counters, const RowCode& code,
           GroupSize size);

  /// `panels`: what to copy first; null: nothing.
  void write(const Panels* panels);
  unsigned columns() const { return size_.columns; }
  /// In a block of its own: goes here if a group is left, else to `otherwise`.
  llvm::BasicBlock* write_test(const LoneRows& alone, llvm::BasicBlock* otherwise);
  /// The ways back to the loop over rows: done, or failed.
  void write_ends(const LoneRows& alone);

 private:
  using Map = llvm::DenseMap<const llvm::Value*, llvm::Value*>;
  unsigned copies() const { return maps_.size(); }
  unsigned row_of(unsigned copy) const { return copy / size_.columns; }
  unsigned column_of(unsigned copy) const { return copy % size_.columns; }
  /// Of a value that depends so: which copy is that of `copy`.
  unsigned owner(Dependence dependence, unsigned copy) const;
  bool is_owner(const llvm::Value* value, unsigned copy) const;

  void continue_with(llvm::BasicBlock* block, llvm::Value* thread, llvm::Value* y, llvm::Value* z,
                     const LoneRows& alone, llvm::Value* alone_rows, llvm::Value* from);
  llvm::BasicBlock* block(const llvm::Twine& name);
  /// Where the copy of a block ends: copying to panels adds blocks.
  llvm::BasicBlock* end_of(llvm::BasicBlock* original) const;
  void make_blocks();
  llvm::Value* mapped(llvm::Value* value, unsigned copy) const;
  /// The counters of each row, and what was computed from them before the loop over vectors.
  void make_rows();
  /// Writes each copy there is of the instruction.
  void write_copies(llvm::Instruction& instruction, llvm::IRBuilder<>& builder);
  void write_phi(llvm::PHINode& phi, llvm::IRBuilder<>& builder);
  /// The numbers of the vectors that go together, behind the header's PHI.
  void number_columns(llvm::IRBuilder<>& builder);
  void write_block(llvm::BasicBlock& original);
  /// At the end of a loop's preheader: copies to panels what it will load.
  void write_panels(const llvm::BasicBlock& preheader, llvm::IRBuilder<>& builder);
  /// The loads of `original`, of each vector that goes along, come from there.
  void load_from_panels(const llvm::BasicBlock& original);
  llvm::Value* condition_of(llvm::BranchInst& branch, llvm::IRBuilder<>& builder) const;
  void fill_phis(llvm::BasicBlock& original);

  const RowVectors& vectors_;
  const RowCounters& counters_;
  const RowCode& code_;
  const Panels* panels_ = nullptr;
  llvm::DenseMap<unsigned, PanelSource> sources_;  // of each panel
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> copies_, ends_;
  GroupSize size_;
  std::vector<Map> maps_;  // of values in and before the loop, for each row and column
  llvm::BasicBlock *entry_ = nullptr, *done_ = nullptr, *broken_ = nullptr;
};

}  // namespace gridspan::transforms
