// Polynomials modulo 2^32, and those of scalar evolution's expressions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/place_algebra.h"

#include "transforms/context.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

using namespace llvm;

void Polynomial::add(const Factors& factors, std::uint32_t coefficient) {
  auto entry = terms_.try_emplace(factors, 0u).first;
  entry->second += coefficient;
  if (entry->second == 0) terms_.erase(entry);
}

Polynomial Polynomial::constant(std::uint32_t value) {
  Polynomial made;
  made.add({}, value);
  return made;
}

Polynomial Polynomial::factor(const SCEV* value) {
  Polynomial made;
  made.add({value}, 1);
  return made;
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  Polynomial sum = *this;
  for (const auto& [factors, coefficient] : other.terms_) sum.add(factors, coefficient);
  return sum;
}

Polynomial Polynomial::operator-(const Polynomial& other) const {
  return *this + other * constant(~0u);
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial product;
  for (const auto& [first, one] : terms_)
    for (const auto& [second, two] : other.terms_) {
      Factors factors = first;
      factors.insert(factors.end(), second.begin(), second.end());
      std::sort(factors.begin(), factors.end());
      product.add(factors, one * two);
    }
  return product;
}

bool Polynomial::has(const SCEV* factor) const {
  return any_of(terms_, [&](const auto& term) { return is_contained(term.first, factor); });
}

std::optional<std::uint32_t> Polynomial::as_constant() const {
  if (terms_.empty()) return 0;
  const auto& [factors, coefficient] = *terms_.begin();
  return terms_.size() == 1 && factors.empty() ? std::optional(coefficient) : std::nullopt;
}

std::optional<std::pair<Polynomial, Polynomial>> Polynomial::divided(const SCEV* factor) const {
  Polynomial quotient, rest;
  for (const auto& [factors, coefficient] : terms_) {
    Factors others = factors;
    erase(others, factor);
    if (others.size() + 1 < factors.size()) return std::nullopt;
    (others.size() == factors.size() ? rest : quotient).add(others, coefficient);
  }
  return std::pair(quotient, rest);
}

static Instruction* find_register(BasicBlock& entry, SpecialRegister::Group group, unsigned axis) {
  for (Instruction& instruction : entry) {
    const SpecialRegister found = special_register(&instruction);
    if (found.group == group && found.axis == axis) return &instruction;
  }
  return nullptr;
}

PlaceAlgebra::PlaceAlgebra(Function& kernel, ScalarEvolution& evolution,
                           const std::array<std::uint32_t, 3>& block)
    : kernel_(kernel), evolution_(evolution) {
  for (unsigned i = 0; i < axes_.size(); ++i) {
    Axis& axis = axes_[i];
    axis.width = block[i];
    axis.thread = find_register(kernel.getEntryBlock(), SpecialRegister::thread_index, i);
    axis.block = find_register(kernel.getEntryBlock(), SpecialRegister::block_index, i);
    if (axis.width == 0 || !axis.thread || !axis.block) continue;
    Instruction* last = axis.thread->comesBefore(axis.block) ? axis.block : axis.thread;
    IRBuilder<> builder(last->getParent(), std::next(last->getIterator()));
    FunctionCallee opaque = kernel.getParent()->getOrInsertFunction(
        "gridspan_position", FunctionType::get(builder.getInt32Ty(), false));
    axis.position = builder.CreateCall(opaque);
  }
}

/// Positions become what they stand for.
PlaceAlgebra::~PlaceAlgebra() {
  for (Axis& axis : axes_) {
    if (!axis.position) continue;
    if (!axis.position->use_empty()) {
      IRBuilder<> builder(axis.position);
      Value* begin = builder.CreateMul(axis.block, builder.getInt32(axis.width));
      Value* position = builder.CreateAdd(begin, axis.thread, "position");
      axis.position->replaceAllUsesWith(position);
    }
    evolution_.forgetValue(axis.position);
    axis.position->eraseFromParent();
  }
}

const SCEV* PlaceAlgebra::known(Instruction* value) const {
  return value ? evolution_.getUnknown(value) : nullptr;
}

const SCEV* PlaceAlgebra::round(const Loop& loop) const {
  Type* i32 = Type::getInt32Ty(kernel_.getContext());
  return evolution_.getAddRecExpr(evolution_.getZero(i32), evolution_.getOne(i32), &loop,
                                  SCEV::FlagAnyWrap);
}

std::optional<Polynomial> PlaceAlgebra::of(const SCEV* value) {
  if (!value->getType()->isIntegerTy() || evolution_.getTypeSizeInBits(value->getType()) < 32)
    return std::nullopt;
  if (auto* constant = dyn_cast<SCEVConstant>(value))
    return Polynomial::constant(
        static_cast<std::uint32_t>(constant->getAPInt().zextOrTrunc(32).getZExtValue()));
  if (isa<SCEVAddExpr, SCEVMulExpr>(value)) {
    const bool adds = isa<SCEVAddExpr>(value);
    Polynomial all = Polynomial::constant(adds ? 0 : 1);
    for (const SCEV* operand : value->operands()) {
      auto one = of(operand);
      if (!one) return std::nullopt;
      all = adds ? all + *one : all * *one;
    }
    return all;
  }
  if (auto* recurrence = dyn_cast<SCEVAddRecExpr>(value)) {
    auto start = of(recurrence->getStart()), step = of(recurrence->getOperand(1));
    if (!recurrence->isAffine() || !start || !step) return std::nullopt;
    return *start + *step * Polynomial::factor(round(*recurrence->getLoop()));
  }
  if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr, SCEVTruncateExpr>(value)) {
    const SCEV* inside = cast<SCEVCastExpr>(value)->getOperand();
    if (evolution_.getTypeSizeInBits(inside->getType()) >= 32) return of(inside);
  }
  for (const Axis& axis : axes_)
    if (axis.position && value == known(axis.thread))
      return Polynomial::factor(known(axis.position)) -
             Polynomial::factor(known(axis.block)) * Polynomial::constant(axis.width);
  if (auto* unknown = dyn_cast<SCEVUnknown>(value))
    if (auto* phi = dyn_cast<PHINode>(unknown->getValue())) return of_all_ways(*phi);
  const bool hides_place = SCEVExprContains(value, [&](const SCEV* part) {
    if (part == value && isa<SCEVUnknown>(part)) return false;
    return any_of(axes_, [&](const Axis& axis) {
      return part == known(axis.thread) || part == known(axis.block);
    });
  });
  if (hides_place) return std::nullopt;
  return Polynomial::factor(
      evolution_.getTruncateOrNoop(value, Type::getInt32Ty(kernel_.getContext())));
}

/// Where LLVM has computed the same on each way.
std::optional<Polynomial> PlaceAlgebra::of_all_ways(const PHINode& phi) {
  if (!open_.insert(&phi).second) return std::nullopt;
  std::optional<Polynomial> all;
  for (Value* value : phi.incoming_values()) {
    auto one = of(evolution_.getSCEV(value));
    if (!one || (all && !(*all == *one))) {
      all.reset();
      break;
    }
    all = one;
  }
  open_.erase(&phi);
  return all;
}

std::optional<Polynomial> PlaceAlgebra::element(const SCEV* bytes, std::uint64_t size) {
  if (size == 1) return of(bytes);
  if (auto* constant = dyn_cast<SCEVConstant>(bytes)) {
    const std::int64_t value = constant->getAPInt().getSExtValue();
    const auto divisor = static_cast<std::int64_t>(size);
    if (value % divisor != 0) return std::nullopt;
    return Polynomial::constant(static_cast<std::uint32_t>(value / divisor));
  }
  if (auto* sum = dyn_cast<SCEVAddExpr>(bytes)) {
    Polynomial all;
    for (const SCEV* operand : sum->operands()) {
      auto one = element(operand, size);
      if (!one) return std::nullopt;
      all = all + *one;
    }
    return all;
  }
  if (auto* product = dyn_cast<SCEVMulExpr>(bytes)) {
    auto first = element(product->getOperand(0), size);
    if (!first) return std::nullopt;
    for (const SCEV* operand : drop_begin(product->operands())) {
      auto one = of(operand);
      if (!one) return std::nullopt;
      first = *first * *one;
    }
    return first;
  }
  if (auto* recurrence = dyn_cast<SCEVAddRecExpr>(bytes); recurrence && recurrence->isAffine()) {
    auto start = element(recurrence->getStart(), size),
         step = element(recurrence->getOperand(1), size);
    if (!start || !step) return std::nullopt;
    return *start + *step * Polynomial::factor(round(*recurrence->getLoop()));
  }
  return std::nullopt;
}

bool PlaceAlgebra::depends_on_block(const Polynomial& value) const {
  return any_of(axes_,
                [&](const Axis& axis) { return axis.block && value.has(known(axis.block)); });
}

bool PlaceAlgebra::depends_on_thread(const Polynomial& value) const {
  return any_of(axes_, [&](const Axis& axis) {
    return (axis.position && value.has(known(axis.position))) ||
           (axis.thread && value.has(known(axis.thread)));
  });
}

Polynomial PlaceAlgebra::of_first_thread(const Polynomial& value) const {
  Polynomial made;
  for (const auto& [factors, coefficient] : value.terms()) {
    Polynomial term = Polynomial::constant(coefficient);
    for (const SCEV* factor : factors) {
      Polynomial there = Polynomial::factor(factor);
      for (const Axis& axis : axes_) {
        if (axis.thread && factor == known(axis.thread)) there = Polynomial();
        if (axis.position && factor == known(axis.position))
          there = Polynomial::factor(known(axis.block)) * Polynomial::constant(axis.width);
      }
      term = term * there;
    }
    made = made + term;
  }
  return made;
}

const SCEV* PlaceAlgebra::expression(const Polynomial& value) const {
  Type* i32 = Type::getInt32Ty(kernel_.getContext());
  const SCEV* sum = evolution_.getZero(i32);
  for (const auto& [factors, coefficient] : value.terms()) {
    SmallVector<const SCEV*> product(factors.begin(), factors.end());
    product.push_back(evolution_.getConstant(i32, coefficient));
    sum = evolution_.getAddExpr(sum, evolution_.getMulExpr(product));
  }
  return sum;
}

}  // namespace gridspan::transforms
