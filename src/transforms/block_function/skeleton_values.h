// Which values the skeleton of a block function has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/block_function/segments.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// Of the values that are the same for all threads, those that the skeleton computes by itself
/// (`is_computed`), before the segment that they stand in, and those that it needs but has from a
/// segment (`is_fetched`) or from an exchange between lanes (`is_exchanged`). Phis between segments
/// that are neither become stack variables.
///
/// A warp's skeleton lies inside a segment of the block's, `outer`, and has values that are used in
/// that segment only; the outer skeleton's are at hand there.
class SkeletonValues {
 public:
  SkeletonValues(llvm::ArrayRef<Segment> segments, const UniformValues& uniform,
                 const Segment* inside = nullptr, SkeletonValues* outer = nullptr);

  bool is_computed(const llvm::Value* value) const { return computed_.contains(value); }
  bool is_fetched(const llvm::Value* value) const {
    return fetched_.contains(
        const_cast<llvm::Instruction*>(llvm::dyn_cast<llvm::Instruction>(value)));
  }
  bool is_exchanged(const llvm::Value* value) const { return exchanged_.contains(value); }
  /// Differs between lanes, but a value that all find alike is computed from it: a warp's skeleton
  /// has the first lane's, for that only.
  bool is_of_first_lane(const llvm::Value* value) const { return of_first_lane_.contains(value); }
  /// The skeleton hands the value to segments.
  bool has(const llvm::Value* value) const {
    return is_computed(value) || is_fetched(value) || is_exchanged(value);
  }
  /// The variable was a phi between segments.
  bool is_phi(const llvm::AllocaInst* memory) const { return phis_.contains(memory); }
  bool is_inside(const llvm::Instruction& instruction) const {
    return !inside_ ||
           inside_->blocks.contains(const_cast<llvm::BasicBlock*>(instruction.getParent()));
  }
  bool is_used_outside(const llvm::Instruction& value) const;
  /// Something that the skeleton computes is made of what it does not have: after `find`.
  bool misses_operands() const;

  /// Phis first, then exchanges (which change the code), then the rest.
  void demote_phis(const Segments& kernel);
  void add_uniform(const llvm::Instruction& value) { reloaded_.insert(&value); }
  void add_exchanged(const llvm::Instruction& result) { exchanged_.insert(&result); }
  void find();
  /// Fetched values get a variable each, which the segment sets and the skeleton reads: after
  /// `find`.
  void make_places();
  llvm::AllocaInst* place_of(const llvm::Value* fetched) const { return places_.lookup(fetched); }
  bool is_place(const llvm::AllocaInst* memory) const {
    return llvm::any_of(places_, [&](const auto& one) { return one.second == memory; });
  }

 private:
  bool can_compute_phi(const llvm::PHINode& phi) const;
  void find_computed(const Segment& segment);
  bool can_compute_for_first_lane(const llvm::Instruction& instruction) const;
  bool is_of_first_lane_in(const llvm::BasicBlock& block, const llvm::Value* value) const;
  void keep_wanted_of_first_lane();
  static bool is_plain(const llvm::Instruction& instruction);
  void own_what_comes_in(llvm::PHINode& phi);
  void own_what_others_want();
  void bring_in();
  void gather_parts();
  bool can_bring_in(const llvm::Value* value, unsigned& cost) const;
  llvm::Value* brought_in(llvm::Value* value, llvm::IRBuilder<>& builder);
  bool can_compute(const llvm::Instruction& instruction, const Segment& segment,
                   bool memory_changed) const;
  bool is_uniform(const llvm::Value* value) const;
  bool is_from_outside(const llvm::Value* value) const;
  void find_fetched();
  bool is_wanted(const llvm::Instruction& value) const;
  llvm::Instruction& own_copy(llvm::Instruction& value);

  llvm::ArrayRef<Segment> segments_;
  const UniformValues& uniform_;
  const Segment* inside_;
  SkeletonValues* outer_;
  llvm::DenseMap<const llvm::BasicBlock*, const Segment*> segment_of_;
  llvm::DenseSet<const llvm::BasicBlock*> common_;
  llvm::DenseSet<const llvm::Value*> computed_, exchanged_, of_first_lane_;
  llvm::SetVector<llvm::Instruction*> fetched_;
  llvm::DenseMap<const llvm::Value*, llvm::AllocaInst*> places_;
  llvm::DenseSet<const llvm::AllocaInst*> phis_;
  llvm::DenseSet<const llvm::Value*> reloaded_;  // uniform, and new to the kernel
  llvm::DenseSet<const llvm::Value*> own_;       // copies for the warp's skeleton among them
};

}  // namespace gridspan::transforms
