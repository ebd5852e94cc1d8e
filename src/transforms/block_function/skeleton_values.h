// Which values the skeleton of a block function has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/block_function/segments.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gridspan::transforms {

/// Of the values that are the same for all threads, those that the skeleton computes by itself
/// (`is_computed`), before the segment that they stand in, and those that it needs but has from a
/// segment (`is_fetched`). Phis between segments that are neither become stack variables.
class SkeletonValues {
 public:
  SkeletonValues(const Segments& segments);

  bool is_computed(const llvm::Value* value) const { return computed_.contains(value); }
  bool is_fetched(const llvm::Value* value) const { return fetched_.contains(value); }
  /// The skeleton hands the value to segments.
  bool has(const llvm::Value* value) const { return is_computed(value) || is_fetched(value); }

 private:
  void demote_phis();
  bool can_compute_phi(const llvm::PHINode& phi) const;
  void find_computed(const Segment& segment);
  bool can_compute(const llvm::Instruction& instruction, const Segment& segment,
                   bool memory_changed) const;
  bool is_uniform(const llvm::Value* value) const;
  void find_fetched();
  bool is_wanted(const llvm::Instruction& value) const;

  const Segments& segments_;
  llvm::DenseMap<const llvm::BasicBlock*, const Segment*> segment_of_;
  llvm::DenseSet<const llvm::BasicBlock*> common_;
  llvm::DenseSet<const llvm::Value*> computed_, fetched_;
  llvm::DenseSet<const llvm::Value*> reloaded_;  // uniform phis that went through memory
};

}  // namespace gridspan::transforms
