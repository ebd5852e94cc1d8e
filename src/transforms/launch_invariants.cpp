// Chooses values by what they cost, and loads what the prologue left in their place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/launch_invariants.h"

#include "abi/module.h"
#include "transforms/context.h"
#include "transforms/launch_conditions.h"
#include "transforms/launch_prologue.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// About as many cycles as what is computed from memory must take to be kept there.
constexpr unsigned least_cost = 10;
/// Who computes so much asks first whether it is wanted.
constexpr unsigned cost_of_call = 40;
/// That one value takes: beyond it the block's own code is compiled faster.
constexpr unsigned most_instructions = 500;

unsigned cost_of(const IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::sqrt:
      return 12;
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
      return 4;
    case Intrinsic::sin:
    case Intrinsic::cos:
    case Intrinsic::exp:
    case Intrinsic::exp2:
    case Intrinsic::exp10:
    case Intrinsic::log:
    case Intrinsic::log2:
    case Intrinsic::log10:
    case Intrinsic::pow:
    case Intrinsic::powi:
      return cost_of_call;
    default:
      return 0;
  }
}

/// Cycles, roughly. What takes one is done beside other work, and tells LLVM more than a load does.
unsigned cost_of(const Instruction& instruction) {
  if (is_division(instruction)) {
    if (isa<Constant>(instruction.getOperand(1))) return 4;
    return instruction.getType()->getScalarSizeInBits() > 32 ? 18 : 10;
  }
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) return cost_of(*intrinsic);
  switch (instruction.getOpcode()) {
    case Instruction::Call:
    case Instruction::FRem:
      return cost_of_call;
    case Instruction::FDiv:
      return 10;
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
      return 4;
    case Instruction::Mul:
      return 3;
    default:
      return 0;
  }
}

/// Addresses have in common what tells accesses apart; of extended numbers the upper bits are
/// known, and of conditions what they say about others.
bool stays(const Instruction& value) {
  Type* type = value.getType();
  return type->isPointerTy() || type->isIntegerTy(1) || isa<ZExtInst, SExtInst>(value);
}

class InvariantMover {
 public:
  InvariantMover(Function& block_function, ArrayRef<std::uint32_t> parameters,
                 ArrayRef<DeviceSymbol> symbols)
      : values_(block_function, parameters, symbols), conditions_(values_) {}

  LaunchPrologue move();

 private:
  bool is_wanted(Instruction& value);
  unsigned cost(const Value* value, SmallPtrSetImpl<const Value*>& counted);
  void choose();
  void add(PrologueWriter& writer, const Instruction& value);
  Instruction& values_in(Function& function);
  Value* loaded(Instruction& value, std::uint32_t place);

  LaunchValues values_;
  LaunchConditions conditions_;
  SmallSetVector<const Instruction*, 8> always_, under_conditions_;  // chosen
  SmallVector<std::pair<Instruction*, std::uint32_t>> moved_;
  DenseMap<Function*, Instruction*> values_in_;
  DenseMap<std::pair<Function*, std::uint32_t>, Value*> loads_;
};

/// Somebody needs it whose own value is not moved.
bool InvariantMover::is_wanted(Instruction& value) {
  return any_of(value.users(), [&](const User* user) {
    auto* instruction = cast<Instruction>(user);
    return !values_.is_launch_value(instruction) || stays(*instruction);
  });
}

/// Of everything it takes that is not loaded from arguments, the launch, or what is chosen.
unsigned InvariantMover::cost(const Value* value, SmallPtrSetImpl<const Value*>& counted) {
  auto* instruction = dyn_cast<Instruction>(values_.origin(value));
  if (!instruction || !counted.insert(instruction).second) return 0;
  const bool is_chosen = always_.contains(instruction) || under_conditions_.contains(instruction);
  if (is_chosen || isa<LoadInst>(instruction)) return 0;
  unsigned sum = cost_of(*instruction);
  for (const Value* operand : instruction->operands()) sum += cost(operand, counted);
  return sum;
}

void InvariantMover::choose() {
  for (Function* function : values_.functions())
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(function))
      for (Instruction& value : *block) {
        if (!values_.is_launch_value(&value) || stays(value) || !is_wanted(value)) continue;
        SmallPtrSet<const Value*, 32> counted;
        const unsigned sum = cost(&value, counted);
        if (sum < least_cost || counted.size() > most_instructions) continue;
        const bool asks = sum >= cost_of_call && !conditions_.of(*block).empty();
        (asks ? under_conditions_ : always_).insert(&value);
      }
}

void InvariantMover::add(PrologueWriter& writer, const Instruction& value) {
  if (const auto place = writer.add(value))
    moved_.emplace_back(const_cast<Instruction*>(&value), *place);
}

/// Where `function` finds what the prologue left.
Instruction& InvariantMover::values_in(Function& function) {
  Instruction*& values = values_in_[&function];
  if (values) return *values;
  BasicBlock& entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  values =
      cast<Instruction>(load_field(builder, builder.getPtrTy(), function.getArg(0),
                                   offsetof(abi::BlockContext, launch_values), "launch_values"));
  Metadata* bytes = ConstantAsMetadata::get(builder.getInt64(abi::max_launch_value_bytes));
  values->setMetadata(LLVMContext::MD_dereferenceable, MDNode::get(builder.getContext(), bytes));
  return *values;
}

/// At the beginning of the function, one for all uses.
Value* InvariantMover::loaded(Instruction& value, std::uint32_t place) {
  Value*& load = loads_[{value.getFunction(), place}];
  if (load) return load;
  Instruction& values = values_in(*value.getFunction());
  IRBuilder<> builder(values.getNextNode());
  return load = load_field(builder, value.getType(), &values, place, "launch_value");
}

LaunchPrologue InvariantMover::move() {
  choose();
  if (always_.empty() && under_conditions_.empty()) return {};
  PrologueWriter writer(values_);
  for (const Instruction* value : always_) add(writer, *value);
  for (const Instruction* value : under_conditions_) {
    writer.begin_condition(conditions_.of(*value->getParent()));
    add(writer, *value);
    writer.end_condition();
  }
  for (auto [value, place] : moved_) value->replaceAllUsesWith(loaded(*value, place));
  return {writer.finish(), writer.count()};
}

}  // namespace

LaunchPrologue move_launch_invariants(Function& block_function, ArrayRef<std::uint32_t> parameters,
                                      ArrayRef<DeviceSymbol> symbols) {
  return InvariantMover(block_function, parameters, symbols).move();
}

}  // namespace gridspan::transforms
