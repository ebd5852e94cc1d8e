// Recognises them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/lane_comparison.h"

#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

bool is_short_reach(Shape shape, const Type& type) {
  constexpr std::int64_t most_lanes = 64;
  APInt reach = APInt(128, static_cast<std::uint64_t>(shape.stride), true) * most_lanes;
  return reach.isSignedIntN(type.getIntegerBitWidth());
}

static bool is_comparable(const Shapes& shapes, const Value* strided, const Value* uniform) {
  Shape shape = shapes.of(strided);
  const Type& type = *strided->getType();
  return shape.kind == Shape::strided && shapes.of(uniform).is_uniform() && type.isIntegerTy() &&
         type.getIntegerBitWidth() <= 64 && is_short_reach(shape, type);
}

std::optional<LaneComparison> compare_lanes(const Shapes& shapes, const ICmpInst& comparison) {
  Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  if (is_comparable(shapes, left, right))
    return LaneComparison{comparison.getPredicate(), left, right};
  if (is_comparable(shapes, right, left))
    return LaneComparison{comparison.getSwappedPredicate(), right, left};
  return std::nullopt;
}

bool is_saturating(const Instruction& instruction) {
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::usub_sat;
}

std::optional<LaneComparison> choice_test(const Shapes& shapes, const IntrinsicInst& call,
                                          unsigned operand) {
  Value *chosen = call.getArgOperand(operand), *other = call.getArgOperand(1 - operand);
  if (!is_comparable(shapes, chosen, other)) return std::nullopt;
  switch (call.getIntrinsicID()) {
    case Intrinsic::smin:
      return LaneComparison{CmpInst::ICMP_SLE, chosen, other};
    case Intrinsic::umin:
      return LaneComparison{CmpInst::ICMP_ULE, chosen, other};
    case Intrinsic::smax:
      return LaneComparison{CmpInst::ICMP_SGE, chosen, other};
    case Intrinsic::usub_sat:
      if (operand != 0) return std::nullopt;
      [[fallthrough]];
    case Intrinsic::umax:
      return LaneComparison{CmpInst::ICMP_UGE, chosen, other};
    default:
      return std::nullopt;
  }
}

bool is_testable(const Shapes& shapes, const Value* condition, bool wanted) {
  if (shapes.of(condition).is_uniform()) return true;
  const Value *left, *right;
  if (match(condition, m_Not(m_Value(left)))) return is_testable(shapes, left, !wanted);
  if (wanted ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
             : match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return is_testable(shapes, left, wanted) && is_testable(shapes, right, wanted);
  auto* comparison = dyn_cast<ICmpInst>(condition);
  if (!comparison || !compare_lanes(shapes, *comparison)) return false;
  return comparison->isRelational() || wanted == (comparison->getPredicate() == CmpInst::ICMP_NE);
}

bool implies_exact(const Shapes& shapes, const LaneComparison& comparison) {
  if (!CmpInst::isRelational(comparison.predicate)) return false;
  bool is_below = ICmpInst::isLT(comparison.predicate) || ICmpInst::isLE(comparison.predicate);
  return is_below == (shapes.of(comparison.strided).stride > 0);
}

}  // namespace gridspan::transforms
