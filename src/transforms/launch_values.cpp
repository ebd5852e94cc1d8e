// Follows values back to what a launch gives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/launch_values.h"

#include "abi/launch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <cstddef>

namespace gridspan::transforms {

using namespace llvm;
using abi::BlockContext;
using abi::LaunchContext;

/// Memory has whole bytes, and vectors of one number are no use to keep.
static bool is_plain(const Type* type) {
  if (type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() || type->isPointerTy())
    return true;
  const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/// A function of the C library's or ours that only computes; no marker (context.h).
static bool is_pure_call(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && !callee->getName().starts_with("gridspan.") &&
         call.doesNotAccessMemory() && call.doesNotThrow() &&
         call.hasFnAttr(Attribute::WillReturn) && !call.isConvergent() && !call.hasOperandBundles();
}

bool is_division(const Instruction& instruction) {
  return is_contained({Instruction::SDiv, Instruction::UDiv, Instruction::SRem, Instruction::URem},
                      instruction.getOpcode());
}

LaunchValues::LaunchValues(Function& block_function, ArrayRef<std::uint32_t> parameters,
                           ArrayRef<DeviceSymbol> symbols)
    : parameters_(parameters), symbols_(symbols) {
  add(block_function);
}

void LaunchValues::add(Function& function) {
  functions_.insert(&function);
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    Function* callee = call ? call->getCalledFunction() : nullptr;
    const bool is_own = callee && !callee->isDeclaration() && callee->hasLocalLinkage() &&
                        callee->hasOneUse() && call->arg_size() != 0 &&
                        call->getArgOperand(0) == function.getArg(0);
    if (!is_own) continue;
    for (auto [parameter, argument] : zip(callee->args(), call->args()))
      actual_[&parameter] = argument;
    add(*callee);
  }
}

const Value* LaunchValues::origin(const Value* value) {
  while (auto* parameter = dyn_cast<Argument>(value)) {
    const Value* argument = actual_.lookup(parameter);
    if (!argument) break;
    value = argument;
  }
  auto* instruction = dyn_cast<Instruction>(value);
  const bool is_arithmetic =
      instruction && isa<BinaryOperator, CastInst, CmpInst, SelectInst>(instruction);
  return is_arithmetic ? folded(*instruction) : value;
}

const Value* LaunchValues::folded(const Instruction& instruction) {
  auto [known, is_new] = folded_.try_emplace(&instruction, &instruction);
  if (!is_new) return known->second;
  SmallVector<Value*> operands;
  for (const Value* operand : instruction.operands())
    operands.push_back(const_cast<Value*>(origin(operand)));
  auto* same = const_cast<Instruction*>(&instruction);
  const SimplifyQuery query(instruction.getModule()->getDataLayout());
  auto* constant =
      dyn_cast_or_null<Constant>(simplifyInstructionWithOperands(same, operands, query));
  return constant ? folded_[&instruction] = constant : &instruction;
}

std::optional<LaunchValues::Place> LaunchValues::place_at(const Value* address) {
  const DataLayout& layout = functions_.front()->getParent()->getDataLayout();
  APInt offset(64, 0);
  const Value* base = nullptr;
  for (address = origin(address); base != address;) {
    base = address->stripAndAccumulateConstantOffsets(layout, offset, true);
    address = origin(base);
  }
  if (offset.isNegative()) return std::nullopt;
  const std::uint64_t bytes = offset.getZExtValue();
  if (base == functions_.front()->getArg(0))
    return Place{Place::block, 0, bytes, sizeof(BlockContext)};
  if (auto* variable = dyn_cast<GlobalVariable>(base)) {
    if (!variable->isConstant() || !variable->hasDefinitiveInitializer()) return std::nullopt;
    return Place{Place::constant, 0, bytes, layout.getTypeAllocSize(variable->getValueType())};
  }
  auto* load = dyn_cast<LoadInst>(base);
  if (!load || !load->isSimple()) return std::nullopt;
  const auto pointer = place_at(load->getPointerOperand());
  auto place = pointer ? place_behind(*pointer) : std::nullopt;
  if (place) place->offset = bytes;
  return place;
}

/// Where the pointer at that place leads.
std::optional<LaunchValues::Place> LaunchValues::place_behind(const Place& pointer) const {
  const std::uint64_t at = pointer.offset, number = at / sizeof(void*);
  if (at % sizeof(void*) != 0) return std::nullopt;
  switch (pointer.memory) {
    case Place::block:
      if (at != offsetof(BlockContext, launch)) return std::nullopt;
      return Place{Place::launch, 0, 0, sizeof(LaunchContext)};
    case Place::launch:
      if (at == offsetof(LaunchContext, arguments))
        return Place{Place::arguments, 0, 0, parameters_.size() * sizeof(void*)};
      if (at == offsetof(LaunchContext, symbols))
        return Place{Place::symbols, 0, 0, symbols_.size() * sizeof(void*)};
      return std::nullopt;
    case Place::arguments:
      if (number >= parameters_.size()) return std::nullopt;
      return Place{Place::argument, number, 0, parameters_[number]};
    case Place::symbols:
      if (number >= symbols_.size()) return std::nullopt;
      return Place{Place::symbol, number, 0, symbols_[number].size};
    case Place::argument:
    case Place::symbol:
    case Place::constant:
      return std::nullopt;
  }
  llvm_unreachable("memory");
}

/// The same bytes for all blocks, which are there whether or not anybody asks for them.
bool LaunchValues::is_readable(const Place& place, std::uint64_t bytes) const {
  if (place.memory == Place::block) return false;
  if (place.memory == Place::symbol && !symbols_[place.index].is_constant) return false;
  return bytes <= place.size && place.offset <= place.size - bytes;
}

bool LaunchValues::is_launch(const Value* value) {
  const auto place = place_at(value);
  return place && place->memory == Place::launch && place->offset == 0;
}

bool LaunchValues::depends_on_arguments(const Value* value) {
  SmallSetVector<const Value*, 16> all;
  all.insert(origin(value));
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto* instruction = dyn_cast<Instruction>(all[i]);
    if (!instruction) continue;
    if (auto* load = dyn_cast<LoadInst>(instruction)) {
      const auto place = place_at(load->getPointerOperand());
      if (place && place->memory != Place::block && place->memory != Place::launch) return true;
    }
    for (const Value* operand : instruction->operands()) all.insert(origin(operand));
  }
  return false;
}

bool LaunchValues::find(const Value* value) {
  value = origin(value);
  if (isa<Constant>(value)) return !value->getType()->isVectorTy();
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !is_plain(instruction->getType())) return false;
  if (is_launch(instruction)) return true;
  auto all_operands = [&](const auto& operands) {
    return all_of(operands, [&](const Use& use) { return is_launch_value(use.get()); });
  };
  if (auto* load = dyn_cast<LoadInst>(instruction)) {
    const DataLayout& layout = load->getModule()->getDataLayout();
    const auto place = place_at(load->getPointerOperand());
    return load->isSimple() && place &&
           is_readable(*place, layout.getTypeStoreSize(load->getType())) &&
           is_launch_value(load->getPointerOperand());
  }
  if (auto* call = dyn_cast<CallInst>(instruction)) {
    return (isa<IntrinsicInst>(call)
                ? isSafeToSpeculativelyExecute(call) && call->doesNotAccessMemory()
                : is_pure_call(*call)) &&
           all_operands(call->args());
  }
  if (isa<PHINode, AllocaInst>(instruction)) return false;
  return (is_division(*instruction) || isSafeToSpeculativelyExecute(instruction)) &&
         all_operands(instruction->operands());
}

bool LaunchValues::is_launch_value(const Value* value) {
  if (auto found = known_.find(value); found != known_.end()) return found->second;
  known_[value] = false;  // code that nobody reaches may go round
  const bool answer = find(value);
  return known_[value] = answer;
}

}  // namespace gridspan::transforms
