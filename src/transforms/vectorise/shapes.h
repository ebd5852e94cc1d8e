// How the values of neighbouring threads differ, and where their ways part.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value's *shape* compares the threads of one vector (lanes): the same for all (uniform), growing
// by a constant from lane to lane, modulo 2^n (strided), or anything (varying). A branch on a value
// that is not uniform is *divergent*; between it and the place where all ways meet again, blocks
// are *linear*: they run one after the other for whichever lanes want them, under masks.
#pragma once

#include "transforms/vectorise/thread_body.h"
#include "transforms/vectorise/upper_bounds.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace gridspan::transforms {

struct Shape {
  enum Kind { unknown, uniform, strided, varying } kind = unknown;
  std::int64_t stride = 0;  // from lane to lane; bytes for pointers
  // Strided integers: read as (un)signed numbers they grow by `stride` without wrapping, in all
  // lanes that execute the instruction.
  bool exact_signed = false, exact_unsigned = false;

  static Shape same() { return {uniform, 0, true, true}; }
  static Shape any() { return {varying}; }
  bool is_uniform() const { return kind == uniform; }
  bool is_varying() const { return kind == varying; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

struct Exactness {
  bool is_signed = false, is_unsigned = false;
};

/// What one version of the code may take for granted, because it checks it before anything else
/// happens and hands over to the general version if it does not hold.
struct Assumptions {
  /// All lanes take this successor.
  llvm::DenseMap<const llvm::BranchInst*, unsigned> taken;
  /// Strided integers that do not wrap between the lanes, read as (un)signed numbers.
  llvm::DenseMap<const llvm::Instruction*, Exactness> exact;
  /// Those of `exact` that need no check of their own: a guard all lanes pass implies it for
  /// whoever uses them.
  llvm::DenseSet<const llvm::Instruction*> proven;
  /// Extensions of strided integers that do not wrap between the lanes below this bound, as long as
  /// it is not too high.
  llvm::MapVector<const llvm::CastInst*, UpperBound> bounded;
  /// All lanes of this select, minimum, maximum or saturating difference get this operand.
  llvm::DenseMap<const llvm::Instruction*, unsigned> chosen;
  /// All lanes find the same.
  llvm::DenseSet<const llvm::ICmpInst*> agreed;
  /// Conditions of branches in `taken` that come after something has changed: all lanes find this,
  /// which is checked where the condition is found.
  llvm::DenseMap<const llvm::Instruction*, bool> early;
};

class Shapes {
 public:
  Shapes(const ThreadBody& body, const llvm::LoopInfo& loops,
         const llvm::PostDominatorTree& post_dominators, const Assumptions& assumed);

  Shape of(const llvm::Value* value) const;
  bool is_linear(const llvm::BasicBlock* block) const { return linear_.contains(block); }
  /// The terminator's condition differs between lanes (and is not assumed not to).
  bool is_divergent(const llvm::BasicBlock& block) const { return divergent_.contains(&block); }
  const Assumptions& assumed() const { return assumed_; }

 private:
  void solve();
  bool update(llvm::Instruction& instruction);
  Shape compute(llvm::Instruction& instruction) const;
  Shape of_operation(llvm::Instruction& instruction) const;
  std::optional<Shape> of_assumed(const llvm::Instruction& instruction) const;
  Shape of_phi(const llvm::PHINode& phi) const;
  bool is_whole_part(const llvm::BinaryOperator& operation) const;
  bool is_of_index(const llvm::Value* number) const;
  bool is_same_part(const llvm::BinaryOperator& operation) const;
  Shape of_arithmetic(const llvm::BinaryOperator& operation) const;
  Shape of_cast(const llvm::CastInst& cast) const;
  Shape of_address(const llvm::GetElementPtrInst& address) const;
  Shape of_call(const llvm::CallInst& call) const;
  void part_ways(const llvm::BasicBlock& at);
  void mark_joins(const llvm::BasicBlock& at, const llvm::BasicBlock* meeting,
                  llvm::ArrayRef<const llvm::BasicBlock*> left_by);

  const ThreadBody& body_;
  const llvm::LoopInfo& loops_;
  const llvm::PostDominatorTree& post_dominators_;
  const Assumptions& assumed_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  llvm::DenseSet<const llvm::BasicBlock*> linear_, divergent_;
  llvm::DenseSet<const llvm::BasicBlock*> joins_;  // their phis tell which way a lane came
  bool changed_ = false;
};

/// The result is exact if the operands are: strided sums, differences and products whose promise
/// not to wrap counts for all lanes (shape_rules.cpp).
Exactness keeps_exact(const llvm::BinaryOperator& operation, std::int64_t stride);

}  // namespace gridspan::transforms
