// Comparisons that the first and the last lane decide for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/vectorise/shapes.h"

#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

/// `strided` `predicate` `uniform`: of integers.
struct LaneComparison {
  llvm::CmpInst::Predicate predicate;
  llvm::Value *strided, *uniform;
};

/// All lanes together reach less far than half of what a number of this type can tell.
bool is_short_reach(Shape shape, const llvm::Type& type);

/// Nothing if the operands have other shapes.
std::optional<LaneComparison> compare_lanes(const Shapes& shapes, const llvm::ICmpInst& comparison);

/// What must hold for a lane to get `operand` of the minimum, maximum or saturating difference.
std::optional<LaneComparison> choice_test(const Shapes& shapes, const llvm::IntrinsicInst& call,
                                          unsigned operand);

/// The difference is what it chooses between, not its operands.
bool is_saturating(const llvm::Instruction& instruction);

/// Few comparisons of single numbers tell whether all lanes find `wanted`.
bool is_testable(const Shapes& shapes, const llvm::Value* condition, bool wanted);

/// If all_compare (widener.h) finds that it holds for all lanes, the strided number does not wrap
/// between them: it looks at the lane that a wrap would carry furthest.
bool implies_exact(const Shapes& shapes, const LaneComparison& comparison);

}  // namespace gridspan::transforms
