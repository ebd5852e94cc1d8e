// Integer values as piecewise affine expressions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

#include <cmath>

namespace gridspan::analysis {

using namespace llvm;

namespace {

constexpr unsigned max_pieces = 12;
constexpr unsigned small_type = 16;  // bits: the range of larger types bounds no array

isl::val power_of_two(isl::ctx context, unsigned exponent) {
  return isl::val(context, static_cast<long>(exponent)).pow2();
}

isl::val number_of(isl::ctx context, const APInt& value) {
  SmallString<32> text;
  value.toStringSigned(text);
  return isl::val(context, std::string(text));
}

isl::pw_aff constant_of(const Symbols& symbols, const isl::val& value) {
  return symbols.constant(0).add_constant(value);
}

bool is_integer(const Value* value, unsigned most = 64) {
  auto* type = dyn_cast<IntegerType>(value->getType());
  return type && type->getBitWidth() <= most;
}

}  // namespace

Uses together(const Uses& a, const Uses& b) {
  Uses both = a;
  both.insert(b.begin(), b.end());
  return both;
}

isl::set either(const isl::set& a, const isl::set& b) { return a.unite(b).coalesce(); }

Evaluator::Evaluator(Function& function, Symbols& symbols)
    : function_(function),
      symbols_(symbols),
      dominators_(function),
      post_dominators_(function),
      loops_(dominators_),
      layers_(1) {}

Number Evaluator::number(const Value* value) {
  if (const Number* known = find(&Layer::numbers, value)) return *known;
  Number result = evaluate(value);
  if (result.value.n_piece() > max_pieces) result = data(*value, "a value of too many cases");
  layers_.back().numbers.insert_or_assign(value, result);
  return result;
}

Number Evaluator::evaluate(const Value* value) {
  if (!is_integer(value)) return data(*value, "not an integer of at most 64 bits");
  if (auto* constant = dyn_cast<ConstantInt>(value))
    return {constant_of(symbols_, value->getType()->isIntegerTy(1)
                                      ? isl::val(symbols_.context(), constant->isZero() ? 0L : 1L)
                                      : number_of(symbols_.context(), constant->getValue())),
            {}};
  if (value->getType()->isIntegerTy(1)) {
    Condition truth = condition(value);
    isl::pw_aff one = symbols_.constant(1).intersect_domain(truth.holds);
    isl::pw_aff zero = symbols_.constant(0).intersect_domain(truth.holds.complement());
    return {one.union_add(zero), truth.uses};
  }
  if (auto* argument = dyn_cast<Argument>(value))
    return {symbols_.value(symbols_.argument(argument->getArgNo(), 0,
                                             value->getType()->getIntegerBitWidth() / 8,
                                             argument->getName().str())),
            {}};
  if (auto* operation = dyn_cast<BinaryOperator>(value)) return binary(*operation);
  if (auto* conversion = dyn_cast<CastInst>(value)) return cast(*conversion);
  if (auto* callee = dyn_cast<CallInst>(value)) return call(*callee);
  if (auto* memory = dyn_cast<LoadInst>(value)) return load(*memory);
  if (auto* selection = dyn_cast<SelectInst>(value)) return choose(*selection);
  if (auto* phi = dyn_cast<PHINode>(value)) return merge(*phi);
  if (auto* frozen = dyn_cast<FreezeInst>(value)) return number(frozen->getOperand(0));
  if (isa<AtomicRMWInst>(value) || isa<AtomicCmpXchgInst>(value))
    return data(*value, "the result of an atomic operation");
  return data(*value, "a value that is not followed");
}

/// Nothing is known of it but, if that says something, the range of its type.
Number Evaluator::data(const Value& value, const std::string& text) {
  if (is_integer(&value, small_type) && !value.getType()->isIntegerTy(1)) {
    isl::val limit = power_of_two(symbols_.context(), value.getType()->getIntegerBitWidth() - 1);
    return data_between(value, text, limit.neg(), limit.sub(1));
  }
  auto* instruction = dyn_cast<Instruction>(&value);
  model::SourcePoint where = instruction ? source_point(*instruction) : model::SourcePoint{};
  const Loop* scope = instruction ? loop_of(instruction->getParent()) : nullptr;
  return {symbols_.value(symbols_.data(text, where, scope)), {}};
}

Number Evaluator::data_between(const Value& value, const std::string& text, const isl::val& minimum,
                               const isl::val& maximum) {
  auto* instruction = dyn_cast<Instruction>(&value);
  model::SourcePoint where = instruction ? source_point(*instruction) : model::SourcePoint{};
  const Loop* scope = instruction ? loop_of(instruction->getParent()) : nullptr;
  return {symbols_.value(symbols_.bounded_data(text, where, scope, minimum, maximum)), {}};
}

bool Evaluator::depends_on_data(const Number& number) const {
  for (const std::string& name : model::involved_parameters(number.value))
    if (!symbols_.is_parameter(name) && symbols_[name].kind == Symbol::Kind::data &&
        !pending_.contains(name))
      return true;
  return false;
}

void Evaluator::require(Number& number, const Value* value, const BasicBlock* at,
                        const isl::val& minimum, const isl::val& maximum,
                        const model::SourcePoint& where) {
  for (unsigned i = 0; i < requirements_.size(); ++i) {
    const Requirement& known = requirements_[i];
    if (known.value && known.value == value && known.at == at && known.minimum.eq(minimum) &&
        known.maximum.eq(maximum)) {
      number.uses.insert(i);
      return;
    }
  }
  requirements_.push_back({value, at, minimum, maximum, where, {}});
  number.uses.insert(static_cast<unsigned>(requirements_.size() - 1));
}

void Evaluator::require_condition(Uses& uses, const isl::set& condition,
                                  const model::SourcePoint& where) {
  isl::val zero = isl::val::zero(symbols_.context());
  requirements_.push_back({nullptr, nullptr, zero, zero, where, condition});
  uses.insert(static_cast<unsigned>(requirements_.size() - 1));
}

/// A bound of the signed value's magnitude from the types it was extended from.
static long double magnitude(const Value* value, unsigned depth = 0) {
  long double whole =
      std::ldexp(1.0L, static_cast<int>(value->getType()->getIntegerBitWidth()) - 1);
  if (depth > 6) return whole;
  auto of = [&](const User& user, unsigned i) { return magnitude(user.getOperand(i), depth + 1); };
  long double bound = whole;
  if (auto* constant = dyn_cast<ConstantInt>(value); constant && constant->getBitWidth() <= 64) {
    bound = std::fabs(static_cast<long double>(constant->getSExtValue()));
  } else if (auto* cast = dyn_cast<CastInst>(value); cast && is_integer(cast->getOperand(0))) {
    if (cast->getOpcode() == Instruction::SExt) bound = of(*cast, 0);
    if (cast->getOpcode() == Instruction::ZExt) bound = 2 * of(*cast, 0);
  } else if (auto* operation = dyn_cast<BinaryOperator>(value)) {
    if (operation->getOpcode() == Instruction::Mul) bound = of(*operation, 0) * of(*operation, 1);
    if (operation->getOpcode() == Instruction::Add || operation->getOpcode() == Instruction::Sub)
      bound = of(*operation, 0) + of(*operation, 1);
  }
  return std::min(bound, whole);  // a wrapped value is still one of its type
}

/// Do the operands' types leave room for every result?
static bool never_wraps(const Instruction& operation) {
  if (!isa<BinaryOperator>(operation)) return false;
  long double a = magnitude(operation.getOperand(0)), b = magnitude(operation.getOperand(1));
  long double limit =
      std::ldexp(1.0L, static_cast<int>(operation.getType()->getIntegerBitWidth()) - 1);
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
      return a + b < limit;
    case Instruction::Mul:
      return a * b < limit;
    default:
      return false;
  }
}

/// The signed range of the operation's type holds the result, or that is required.
Number Evaluator::wrapped(Number number, const Instruction& operation, bool cannot_wrap) {
  if (cannot_wrap || never_wraps(operation)) return number;
  unsigned width = operation.getType()->getIntegerBitWidth();
  isl::val limit = power_of_two(symbols_.context(), width - 1);
  // No launch can promise what data are.
  if (depends_on_data(number)) return data(operation, "arithmetic on data");
  require(number, &operation, operation.getParent(), limit.neg(), limit.sub(1),
          source_point(operation));
  return number;
}

bool Evaluator::is_non_negative(const Number& number) const {
  for (const Piece& piece : pieces(number.value)) {
    std::optional<Linear> terms = linear(piece.value);
    if (!terms || terms->constant.is_neg()) return false;
    for (const auto& [name, coefficient] : terms->terms) {
      bool known = name.starts_with("gridDim_") || name.starts_with("blockDim_") ||
                   name.starts_with("blockIdx_") || name.starts_with("threadIdx_");
      const Symbol& symbol = symbols_[name];
      for (const std::string& atom : symbol.monomial)
        known = known && (atom.starts_with("gridDim_") || atom.starts_with("blockDim_") ||
                          atom.starts_with("blockIdx_") || atom.starts_with("threadIdx_"));
      if (!known || coefficient.is_neg()) return false;
    }
  }
  return true;
}

/// The value read as unsigned.
Number Evaluator::non_negative(const Value* value, const Instruction& user) {
  Number result = number(value);
  if (is_non_negative(result)) return result;
  if (depends_on_data(result)) {
    isl::val zero = isl::val::zero(symbols_.context());
    isl::set negative = symbols_.with_definitions(result.value.lt_set(symbols_.constant(0)));
    if (negative.is_empty()) return result;
    unsigned width = value->getType()->getIntegerBitWidth();
    isl::val most = width <= small_type ? power_of_two(symbols_.context(), width).sub(1)
                                        : isl::val::infty(symbols_.context());
    return data_between(*value, "data read as unsigned", zero, most);
  }
  require(result, value, user.getParent(), isl::val::zero(symbols_.context()),
          power_of_two(symbols_.context(), value->getType()->getIntegerBitWidth() - 1).sub(1),
          source_point(user));
  return result;
}

Number Evaluator::binary(const BinaryOperator& operation) {
  auto* overflowing = dyn_cast<OverflowingBinaryOperator>(&operation);
  bool safe = overflowing && overflowing->hasNoSignedWrap();
  auto sum = [&](bool negative) {
    Number a = number(operation.getOperand(0)), b = number(operation.getOperand(1));
    return Number{negative ? a.value.sub(b.value) : a.value.add(b.value), together(a.uses, b.uses)};
  };
  switch (operation.getOpcode()) {
    case Instruction::Add:
      return wrapped(sum(false), operation, safe);
    case Instruction::Sub:
      return wrapped(sum(true), operation, safe);
    case Instruction::Mul:
      return wrapped(product(operation), operation, safe);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return shift(operation);
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
      return division(operation);
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return bitwise(operation);
    default:
      return data(operation, "an operation that is not followed");
  }
}

Number Evaluator::product(const BinaryOperator& operation) {
  Number a = number(operation.getOperand(0)), b = number(operation.getOperand(1));
  return {symbols_.multiply(a.value, b.value), together(a.uses, b.uses)};
}

Number Evaluator::shift(const BinaryOperator& operation) {
  auto* amount = dyn_cast<ConstantInt>(operation.getOperand(1));
  unsigned width = operation.getType()->getIntegerBitWidth();
  if (!amount || amount->getValue().uge(width)) return data(operation, "a shift by a variable");
  isl::val factor = power_of_two(symbols_.context(), static_cast<unsigned>(amount->getZExtValue()));
  if (operation.getOpcode() == Instruction::Shl) {
    Number a = number(operation.getOperand(0));
    a.value = a.value.scale(factor);
    return wrapped(a, operation, operation.hasNoSignedWrap());
  }
  Number a = operation.getOpcode() == Instruction::LShr
                 ? non_negative(operation.getOperand(0), operation)
                 : number(operation.getOperand(0));
  a.value = a.value.scale_down(factor).floor();
  return a;
}

Number Evaluator::division(const BinaryOperator& operation) {
  auto* divisor = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (!divisor || !divisor->getValue().isStrictlyPositive())
    return data(operation, "a division by a variable");
  isl::val by = number_of(symbols_.context(), divisor->getValue());
  bool is_signed =
      operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
  bool remainder =
      operation.getOpcode() == Instruction::SRem || operation.getOpcode() == Instruction::URem;
  Number a = is_signed ? number(operation.getOperand(0))
                       : non_negative(operation.getOperand(0), operation);
  if (!is_signed || is_non_negative(a)) {
    a.value = remainder ? a.value.mod(by) : a.value.scale_down(by).floor();
  } else {
    isl::pw_aff other = constant_of(symbols_, by);
    a.value = remainder ? a.value.tdiv_r(other) : a.value.tdiv_q(other);
  }
  return a;
}

Number Evaluator::bitwise(const BinaryOperator& operation) {
  auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (operation.getOpcode() == Instruction::Or)
    if (auto* disjoint = dyn_cast<PossiblyDisjointInst>(&operation);
        disjoint && disjoint->isDisjoint()) {
      Number a = number(operation.getOperand(0)), b = number(operation.getOperand(1));
      return {a.value.add(b.value), together(a.uses, b.uses)};
    }
  if (!constant) return data(operation, "bits combined with a variable");
  const APInt& bits = constant->getValue();
  Number a = number(operation.getOperand(0));
  isl::ctx context = symbols_.context();
  switch (operation.getOpcode()) {
    case Instruction::And:
      if (bits.isMask()) {  // the low bits
        a.value = a.value.mod(power_of_two(context, bits.countTrailingOnes()));
        return a;
      }
      if ((~bits).isMask()) {  // all but the low bits
        isl::val low = power_of_two(context, bits.countTrailingZeros());
        a.value = a.value.sub(a.value.mod(low));
        return a;
      }
      if (bits.isPowerOf2() && !bits.isSignMask()) {  // one bit
        isl::val bit = power_of_two(context, bits.logBase2());
        a.value = a.value.scale_down(bit).floor().mod(2).scale(bit);
        return a;
      }
      break;
    case Instruction::Or:
    case Instruction::Xor: {
      bool toggles = operation.getOpcode() == Instruction::Xor;
      if (toggles && bits.isAllOnes()) {
        a.value = a.value.neg().add_constant(-1);
        return a;
      }
      if (bits.isPowerOf2() && !bits.isSignMask()) {  // v ± bit, by whether it is set
        isl::val bit = power_of_two(context, bits.logBase2());
        isl::pw_aff is_set = a.value.scale_down(bit).floor().mod(2);
        a.value = a.value.add_constant(bit).sub(is_set.scale(toggles ? bit.mul(2) : bit));
        return a;
      }
      break;
    }
    default:
      break;
  }
  if (operation.getOpcode() == Instruction::And && bits.isNonNegative())
    return data_between(operation, "bits of a value", isl::val::zero(context),
                        number_of(context, bits));
  return data(operation, "bits that are not followed");
}

Number Evaluator::cast(const CastInst& conversion) {
  const Value* operand = conversion.getOperand(0);
  switch (conversion.getOpcode()) {
    case Instruction::SExt:
      return is_integer(operand) && !operand->getType()->isIntegerTy(1)
                 ? number(operand)
                 : data(conversion, "a value that is not followed");
    case Instruction::ZExt:
      if (!is_integer(operand)) break;
      if (operand->getType()->isIntegerTy(1)) return number(operand);
      if (auto* narrow = dyn_cast<TruncInst>(operand);
          narrow && is_integer(narrow->getOperand(0))) {
        Number low = number(narrow->getOperand(0));  // the low bits, whatever the others are
        low.value = low.value.mod(
            power_of_two(symbols_.context(), operand->getType()->getIntegerBitWidth()));
        return low;
      }
      return non_negative(operand, conversion);
    case Instruction::Trunc:
      if (is_integer(operand)) return wrapped(number(operand), conversion, false);
      break;
    case Instruction::BitCast:
      if (is_integer(operand)) return number(operand);
      break;
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return data(conversion, "a number computed in floating point");
    case Instruction::PtrToInt:
      return data(conversion, "a pointer turned into a number");
    default:
      break;
  }
  return data(conversion, "a conversion that is not followed");
}

Number Evaluator::call(const CallInst& callee) {
  const Function* function = callee.getCalledFunction();
  if (!function) return data(callee, "the result of an indirect call");
  auto pair = [&](bool is_unsigned, auto&& combine) {
    Number a = is_unsigned ? non_negative(callee.getArgOperand(0), callee)
                           : number(callee.getArgOperand(0));
    Number b = is_unsigned ? non_negative(callee.getArgOperand(1), callee)
                           : number(callee.getArgOperand(1));
    return Number{combine(a.value, b.value), together(a.uses, b.uses)};
  };
  auto smaller = [](const isl::pw_aff& a, const isl::pw_aff& b) { return a.min(b); };
  auto larger = [](const isl::pw_aff& a, const isl::pw_aff& b) { return a.max(b); };
  auto absolute = [&] {
    Number a = number(callee.getArgOperand(0));
    return Number{a.value.max(a.value.neg()), a.uses};
  };
  auto symbol = [&](const std::string& name) { return Number{symbols_.value(name), {}}; };
  switch (function->getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return symbol(symbols_.thread_index(0));
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      return symbol(symbols_.thread_index(1));
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return symbol(symbols_.thread_index(2));
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      return symbol(symbols_.block_index(0));
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
      return symbol(symbols_.block_index(1));
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      return symbol(symbols_.block_index(2));
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return symbol(symbols_.block_dim(0));
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return symbol(symbols_.block_dim(1));
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return symbol(symbols_.block_dim(2));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      return symbol(symbols_.grid_dim(0));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
      return symbol(symbols_.grid_dim(1));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
      return symbol(symbols_.grid_dim(2));
    case Intrinsic::nvvm_read_ptx_sreg_warpsize:
      return {symbols_.constant(32), {}};
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      return symbol(symbols_.bounded_data("the lane of a thread", source_point(callee), nullptr,
                                          isl::val::zero(symbols_.context()),
                                          isl::val(symbols_.context(), 31)));
    case Intrinsic::smin:
      return pair(false, smaller);
    case Intrinsic::smax:
      return pair(false, larger);
    case Intrinsic::umin:
      return pair(true, smaller);
    case Intrinsic::umax:
      return pair(true, larger);
    case Intrinsic::abs:
      return absolute();
    case Intrinsic::expect:
      return number(callee.getArgOperand(0));
    default:
      break;
  }
  StringRef name = function->getName();
  if (name == "__nv_min" || name == "__nv_llmin") return pair(false, smaller);
  if (name == "__nv_max" || name == "__nv_llmax") return pair(false, larger);
  if (name == "__nv_umin" || name == "__nv_ullmin") return pair(true, smaller);
  if (name == "__nv_umax" || name == "__nv_ullmax") return pair(true, larger);
  if (name == "__nv_abs" || name == "__nv_llabs") return absolute();
  if (name == "__nv_mul24" || name == "__nv_umul24") {
    Number a = number(callee.getArgOperand(0)), b = number(callee.getArgOperand(1));
    isl::ctx context = symbols_.context();
    bool is_signed = name == "__nv_mul24";
    isl::val limit = power_of_two(context, is_signed ? 23 : 24);
    isl::val minimum = is_signed ? limit.neg() : isl::val::zero(context);
    for (unsigned i = 0; i < 2; ++i)
      require(i ? b : a, callee.getArgOperand(i), callee.getParent(), minimum, limit.sub(1),
              source_point(callee));
    return wrapped({symbols_.multiply(a.value, b.value), together(a.uses, b.uses)}, callee, false);
  }
  return data(callee, "the result of " + (name.empty() ? "a call" : name.str()));
}

Number Evaluator::load(const LoadInst& memory) {
  std::vector<Target> from = targets(memory.getPointerOperand());
  unsigned bytes = memory.getType()->getIntegerBitWidth() / 8;
  if (from.size() == 1 && from[0].base.kind == Base::Kind::by_value && bytes > 0) {
    auto* argument = cast_or_null<Argument>(from[0].base.value);
    std::vector<Piece> offset = pieces(from[0].offset.value);
    if (offset.size() == 1 && offset[0].value.is_cst() && is_read_only(*argument)) {
      auto at = static_cast<unsigned>(offset[0].value.constant_val().num_si());
      std::string hint = argument->getName().str() + "_" + std::to_string(at);
      return {symbols_.value(symbols_.argument(argument->getArgNo(), at, bytes, hint)), {}};
    }
  }
  std::string what = "a value loaded from memory";
  if (!from.empty() && from[0].base.value && from[0].base.value->hasName())
    what = "a value loaded from '" + from[0].base.value->getName().str() + "'";
  if (!from.empty() && from[0].base.kind == Base::Kind::local)
    what = "a value kept in a local array";
  return data(memory, what);
}

Number Evaluator::choose(const SelectInst& select) {
  Condition when = condition(select.getCondition());
  Number a = number(select.getTrueValue()), b = number(select.getFalseValue());
  return {a.value.intersect_domain(when.holds)
              .union_add(b.value.intersect_domain(when.holds.complement()))
              .coalesce(),
          together(when.uses, together(a.uses, b.uses))};
}

Number Evaluator::merge(const PHINode& phi) {
  const BasicBlock* block = phi.getParent();
  if (const Loop* loop = loop_of(block); loop && loop->getHeader() == block) return recurrence(phi);
  if (const Value* same = phi.hasConstantValue(); same && !isa<Instruction>(same))
    return number(same);
  const BasicBlock* start = before_merge(block);
  model::OrNull<isl::pw_aff> merged;
  Uses uses;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const BasicBlock* from = phi.getIncomingBlock(i);
    const Loop* inner = loop_of(from);
    Number value = number(phi.getIncomingValue(i));
    if (inner && !inner->contains(block) && symbols_.varies_in(value.value, inner)) {
      if (inner->getParentLoop() != loop_of(block) || layers_.size() > 1)
        return data(phi, "the last value of a loop");
      value.uses = together(value.uses, leave(inner, from, block));
      value.value = symbols_.at_exit(value.value, inner, from);
    }
    if (phi.getNumIncomingValues() == 1) return value;
    Condition when = through(from, block, start);
    uses = together(uses, together(value.uses, when.uses));
    isl::pw_aff part = value.value.intersect_domain(when.holds);
    if (!merged.is_null() && !merged.domain().is_disjoint(part.domain()))
      return data(phi, "a value that depends on how a loop was left");
    merged = merged.is_null() ? part : merged.union_add(part);
  }
  return {merged.coalesce(), uses};
}

}  // namespace gridspan::analysis
