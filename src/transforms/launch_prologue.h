// The function that computes, once per launch, what blocks load.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/launch_values.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// Copies launch values from block functions and stores them.
class PrologueWriter {
 public:
  /// Declares `name`.prologue for the block function that `values` is about.
  explicit PrologueWriter(LaunchValues& values);

  /// Where the value will lie, in bytes from the beginning; nothing if there is no room.
  std::optional<std::uint32_t> add(const llvm::Instruction& value);

  /// Has what follows computed only where all these conditions hold, which are launch values.
  void begin_condition(llvm::ArrayRef<std::pair<const llvm::Value*, bool>> conditions);
  void end_condition();

  /// Different values.
  unsigned count() const { return count_; }
  llvm::Function* finish();

 private:
  llvm::Value* copy_of(const llvm::Value* value);
  llvm::Value* inserted(llvm::Instruction* made);
  llvm::Value* conjunction(llvm::ArrayRef<std::pair<const llvm::Value*, bool>> conditions);
  llvm::Instruction* copy_of_division(const llvm::Instruction& division, llvm::Value* dividend,
                                      llvm::Value* divisor);

  LaunchValues& values_;
  llvm::Function* function_;
  llvm::IRBuilder<> builder_;
  struct Copies {
    llvm::DenseMap<const llvm::Value*, llvm::Value*> of;
    llvm::SmallVector<llvm::Instruction*> made;
    llvm::DenseMap<const llvm::Value*, std::uint32_t> places;  // of copies
  };
  Copies copies_, outside_;
  struct Section {
    llvm::BasicBlock* block = nullptr;
    Copies copies;
  };
  llvm::DenseMap<llvm::Value*, Section> sections_;  // by what must hold
  Section* inside_ = nullptr;
  llvm::BasicBlock* last_;  // under no condition
  std::uint32_t bytes_ = 0;
  unsigned count_ = 0;
};

}  // namespace gridspan::transforms
