// What each instruction makes of its operands' shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/rounds.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

static bool all_uniform(const Shapes& shapes, const Instruction& instruction) {
  return all_of(instruction.operands(),
                [&](const Use& operand) { return shapes.of(operand).is_uniform(); });
}

static bool any_unknown(const Shapes& shapes, const Instruction& instruction) {
  return any_of(instruction.operands(),
                [&](const Use& operand) { return shapes.of(operand).kind == Shape::unknown; });
}

Shape Shapes::compute(Instruction& instruction) const {
  Shape shape = of_operation(instruction);
  if (shape.kind != Shape::strided) return shape;
  Exactness assumed = assumed_.exact.lookup(&instruction);
  shape.exact_signed |= assumed.is_signed;
  shape.exact_unsigned |= assumed.is_unsigned;
  return shape;
}

Shape Shapes::of_operation(Instruction& instruction) const {
  if (auto* phi = dyn_cast<PHINode>(&instruction)) return of_phi(*phi);
  if (any_unknown(*this, instruction)) return {};
  if (auto assumed = of_assumed(instruction)) return *assumed;
  if (auto* call = dyn_cast<CallInst>(&instruction)) return of_call(*call);
  if (instruction.isAtomic() || instruction.isVolatile()) return Shape::any();
  if (all_uniform(*this, instruction))
    return isa<AllocaInst>(instruction) ? Shape::any() : Shape::same();
  if (auto* operation = dyn_cast<BinaryOperator>(&instruction)) return of_arithmetic(*operation);
  if (auto* cast = dyn_cast<CastInst>(&instruction)) return of_cast(*cast);
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return of_address(*address);
  if (auto* select = dyn_cast<SelectInst>(&instruction);
      select && of(select->getCondition()).is_uniform()) {
    Shape yes = of(select->getTrueValue()), no = of(select->getFalseValue());
    if (yes.kind == Shape::strided && no.kind == Shape::strided && yes.stride == no.stride)
      return {Shape::strided, yes.stride, yes.exact_signed && no.exact_signed,
              yes.exact_unsigned && no.exact_unsigned};
  }
  return Shape::any();
}

/// What all lanes choose; a minimum or maximum is compared in its signedness, so does not wrap in
/// it.
std::optional<Shape> Shapes::of_assumed(const Instruction& instruction) const {
  if (auto* comparison = dyn_cast<ICmpInst>(&instruction))
    return assumed_.agreed.contains(comparison) ? std::optional(Shape::same()) : std::nullopt;
  auto found = assumed_.chosen.find(&instruction);
  if (found == assumed_.chosen.end()) return std::nullopt;
  Shape shape = of(instruction.getOperand(found->second));
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || shape.kind != Shape::strided) return shape;
  switch (call->getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
      shape.exact_signed = true;
      break;
    case Intrinsic::usub_sat:
      shape.exact_signed = false;
      [[fallthrough]];
    default:
      shape.exact_unsigned = true;
  }
  return shape;
}

/// A check that fails sends the number that it is about to the rest of the loop.
static bool comes_from_check(const PHINode& phi, unsigned way) {
  auto* branch = dyn_cast<BranchInst>(phi.getIncomingBlock(way)->getTerminator());
  return branch && branch->isConditional() && is_rounds_test(branch->getCondition()) &&
         branch->getSuccessor(1) == phi.getParent();
}

Shape Shapes::of_phi(const PHINode& phi) const {
  Shape joined;
  Value* only = phi.hasConstantValue();
  for (unsigned way = 0; way < phi.getNumIncomingValues(); ++way) {
    Value* incoming = phi.getIncomingValue(way);
    if (incoming == &phi) continue;
    Shape shape = of(incoming);
    auto* number = dyn_cast<Instruction>(incoming);
    if (number && assumed_.exact.contains(number) && comes_from_check(phi, way))
      shape.exact_signed = shape.exact_unsigned = false;
    if (shape.kind == Shape::unknown) continue;
    if (joined.kind == Shape::unknown) {
      joined = shape;
      continue;
    }
    if (shape.kind != joined.kind || shape.stride != joined.stride) return Shape::any();
    joined.exact_signed &= shape.exact_signed;
    joined.exact_unsigned &= shape.exact_unsigned;
  }
  // Also a value every way brings alike may come from different rounds of a loop.
  if (joined.kind != Shape::unknown && joins_.contains(phi.getParent())) {
    bool fixed =
        only &&
        (!isa<Instruction>(only) || !loops_.getLoopFor(cast<Instruction>(only)->getParent()) ||
         loops_.getLoopFor(cast<Instruction>(only)->getParent())->contains(phi.getParent()));
    if (!fixed) return Shape::any();
  }
  return joined;
}

/// "Does not wrap" says that a lane's number is poison where it would. A poison that nobody uses is
/// allowed, and must not spoil the other lanes' numbers, which are computed from the first lane's.
/// So a promise counts if all later lanes break it with the first, as growing numbers do at the
/// upper end, or if whoever breaks it is undefined as a whole.
static bool all_lanes_keep_unsigned(const BinaryOperator& operation, std::int64_t stride) {
  auto* wraps = dyn_cast<OverflowingBinaryOperator>(&operation);
  if (wraps && !wraps->hasNoUnsignedWrap()) return false;
  auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  bool scales = operation.getOpcode() == Instruction::Mul;
  if (scales && constant && constant->isNegative()) return false;  // the stride is that of signed
  bool falls = operation.getOpcode() == Instruction::Sub;          // wraps at 0
  return (falls ? stride < 0 : stride > 0) || programUndefinedIfPoison(&operation);
}

static bool all_lanes_keep_signed(const BinaryOperator& operation, std::int64_t stride) {
  auto* wraps = dyn_cast<OverflowingBinaryOperator>(&operation);
  if (wraps && !wraps->hasNoSignedWrap()) return false;
  SimplifyQuery query(operation.getModule()->getDataLayout());
  bool adds = !wraps || operation.getOpcode() == Instruction::Add;
  bool starts_inside = isKnownNonNegative(operation.getOperand(0), query) ||
                       (adds && isKnownNonNegative(operation.getOperand(1), query));
  return (stride > 0 && starts_inside) || programUndefinedIfPoison(&operation);
}

Exactness keeps_exact(const BinaryOperator& operation, std::int64_t stride) {
  return {all_lanes_keep_signed(operation, stride), all_lanes_keep_unsigned(operation, stride)};
}

/// Vectors begin at multiples of their length, which divides this.
static constexpr unsigned most_lanes_of_shapes = 16;

/// index % 2^n
bool Shapes::is_whole_part(const BinaryOperator& operation) const {
  auto* mask = dyn_cast<ConstantInt>(operation.getOperand(1));
  return operation.getOpcode() == Instruction::And && operation.getOperand(0) == body_.index &&
         mask && mask->getValue().isMask() && mask->getValue().uge(most_lanes_of_shapes - 1);
}

/// The index, or some of its bits, perhaps on top of a multiple of the vector's length that all
/// lanes share: a warp's first thread.
bool Shapes::is_of_index(const Value* number) const {
  Value *left, *right;
  if (match(number, m_DisjointOr(m_Value(left), m_Value(right)))) {
    if (!of(left).is_uniform()) std::swap(left, right);
    const DataLayout& layout = body_.function->getParent()->getDataLayout();
    const bool is_multiple =
        computeKnownBits(left, layout).countMinTrailingZeros() >= Log2_32(most_lanes_of_shapes);
    return of(left).is_uniform() && is_multiple && is_of_index(right);
  }
  return number == body_.index || match(number, m_And(m_Specific(body_.index), m_ConstantInt()));
}

/// index / 2^n: no lane's differs in the higher bits.
bool Shapes::is_same_part(const BinaryOperator& operation) const {
  auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (!constant || !is_of_index(operation.getOperand(0))) return false;
  if (operation.getOpcode() == Instruction::And)
    return constant->getValue().countr_zero() >= Log2_32(most_lanes_of_shapes);
  return operation.getOpcode() == Instruction::LShr &&
         constant->getValue().uge(Log2_32(most_lanes_of_shapes));
}

Shape Shapes::of_arithmetic(const BinaryOperator& operation) const {
  Shape left = of(operation.getOperand(0)), right = of(operation.getOperand(1));
  if (left.is_varying() || right.is_varying() || !operation.getType()->isIntegerTy())
    return Shape::any();
  if (is_whole_part(operation)) return {Shape::strided, 1, true, true};
  if (is_same_part(operation)) return Shape::same();
  unsigned opcode = operation.getOpcode();
  if (auto* disjoint = dyn_cast<PossiblyDisjointInst>(&operation)) {
    if (!disjoint->isDisjoint()) return Shape::any();
    opcode = Instruction::Add;
  }
  Shape result{Shape::strided};
  std::int64_t factor;
  auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  switch (opcode) {
    case Instruction::Add:
      result.stride = left.stride + right.stride;
      break;
    case Instruction::Sub:
      result.stride = left.stride - right.stride;
      break;
    case Instruction::Mul:
      if (!constant || constant->getBitWidth() > 64) return Shape::any();
      if (MulOverflow(left.stride, constant->getSExtValue(), result.stride)) return Shape::any();
      break;
    case Instruction::Shl:
      if (!constant || constant->getZExtValue() > 30) return Shape::any();
      factor = std::int64_t{1} << constant->getZExtValue();
      if (MulOverflow(left.stride, factor, result.stride)) return Shape::any();
      break;
    default:
      return Shape::any();
  }
  if (result.stride == 0) return Shape::any();  // the same in every lane, but seldom worth knowing
  Exactness kept = keeps_exact(operation, result.stride);
  result.exact_signed = left.exact_signed && right.exact_signed && kept.is_signed;
  result.exact_unsigned = left.exact_unsigned && right.exact_unsigned && kept.is_unsigned;
  return result;
}

Shape Shapes::of_cast(const CastInst& cast) const {
  Shape from = of(cast.getOperand(0));
  if (from.kind != Shape::strided) return Shape::any();
  if (assumed_.bounded.contains(&cast))
    return {Shape::strided, from.stride, true, isa<ZExtInst>(cast)};
  switch (cast.getOpcode()) {
    case Instruction::Trunc:
      return {Shape::strided, from.stride};
    case Instruction::SExt:
      if (from.exact_signed) return {Shape::strided, from.stride, true, from.exact_unsigned};
      return Shape::any();
    case Instruction::ZExt:
      if (from.exact_unsigned) return {Shape::strided, from.stride, true, true};
      // What is not negative reads the same signed and unsigned.
      if (cast.hasNonNeg() && from.exact_signed) return {Shape::strided, from.stride, true, true};
      return Shape::any();
    default:
      return Shape::any();
  }
}

Shape Shapes::of_address(const GetElementPtrInst& address) const {
  if (address.getType()->isVectorTy()) return Shape::any();
  Shape base = of(address.getPointerOperand());
  if (base.is_varying()) return base;
  const DataLayout& layout = address.getModule()->getDataLayout();
  std::int64_t stride = base.stride;
  for (auto step = gep_type_begin(address); step != gep_type_end(address); ++step) {
    Shape index = of(step.getOperand());
    if (index.is_varying()) return index;
    if (index.stride == 0) continue;
    if (step.isStruct() || step.getOperand()->getType()->getIntegerBitWidth() != 64)
      return Shape::any();
    stride += index.stride * static_cast<std::int64_t>(step.getSequentialElementStride(layout));
  }
  return stride == 0 ? Shape::any() : Shape{Shape::strided, stride};
}

Shape Shapes::of_call(const CallInst& call) const {
  if (isa<AssumeInst, DbgInfoIntrinsic, NoAliasScopeDeclInst>(call)) return Shape::same();
  if (is_rounds_test(&call) || is_all_lanes_test(&call)) return Shape::same();
  bool pure = call.doesNotAccessMemory() && call.willReturn() && !call.isInlineAsm();
  return pure && all_uniform(*this, call) ? Shape::same() : Shape::any();
}

}  // namespace gridspan::transforms
