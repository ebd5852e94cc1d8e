// Integer values as piecewise affine expressions: where they come from, and where they meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

#include "llvm/Analysis/ValueTracking.h"

namespace gridspan::analysis {

using namespace llvm;

namespace {
constexpr unsigned max_pieces = 12, max_cases = 20;  // a piece may have several cases
constexpr unsigned long step_operations = 400'000;   // of isl
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
      steps_(symbols.context(), step_operations),
      dominators_(function),
      post_dominators_(function),
      loops_(dominators_),
      layers_(1) {}

static bool has_many_cases(const isl::pw_aff& value) {
  if (value.n_piece() > max_pieces) return true;
  unsigned cases = 0;
  for (const Piece& piece : pieces(value)) cases += piece.domain.n_basic_set();
  return cases > max_cases;
}

Number Evaluator::number(const Value* value) {
  if (const Number* known = find(&Layer::numbers, value)) return *known;
  Number result;
  if (!steps_.run([&] { result = evaluate(value); }))
    result = data(*value, "a value too complex for the limits of the analysis");
  if (has_many_cases(result.value)) result = data(*value, "a value of too many cases");
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
  if (const Value* part = part_of_struct(value)) return number(part);
  if (isa<AtomicRMWInst>(value) || isa<AtomicCmpXchgInst>(value))
    return data(*value, "the result of an atomic operation");
  return data(*value, "a value that is not followed");
}

/// What was put into a struct that functions hand on by value, if `value` takes it out again.
const Value* part_of_struct(const Value* value) {
  auto* taken = dyn_cast<ExtractValueInst>(value);
  if (!taken) return nullptr;
  return FindInsertedValue(const_cast<Value*>(taken->getAggregateOperand()), taken->getIndices());
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
        !pending_.contains(name) && !carried_.contains(name))
      return true;
  return false;
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
