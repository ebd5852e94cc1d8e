// Numbers into the code, and what forbids it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/specialise.h"

#include "transforms/c_library.h"
#include "transforms/diagnostics.h"
#include "transforms/kernels.h"
#include "transforms/known_shape.h"
#include "transforms/special_registers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Flags with which the result depends on what the compiler finds to combine.
bool is_free(const Instruction& instruction) {
  auto* operation = dyn_cast<FPMathOperator>(&instruction);
  return operation && (operation->hasAllowReassoc() || operation->hasAllowReciprocal() ||
                       operation->hasAllowContract() || operation->hasApproxFunc());
}

/// The address of a function as a value: the original's functions have others.
bool uses_address(const Instruction& instruction) {
  SmallVector<const Value*> open;
  for (const Use& operand : instruction.operands()) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || !call->isCallee(&operand)) open.push_back(operand.get());
  }
  SmallPtrSet<const Value*, 8> seen;
  while (!open.empty()) {
    auto* value = dyn_cast<Constant>(open.pop_back_val());
    if (!value || isa<ConstantData>(value) || !seen.insert(value).second) continue;
    if (isa<Function>(value)) return true;
    for (const Use& operand : value->operands()) open.push_back(operand.get());
  }
  return false;
}

const GlobalVariable* changing_variable(const Instruction& instruction) {
  for (const Use& operand : instruction.operands())
    if (auto* variable = dyn_cast<GlobalVariable>(operand->stripPointerCasts()))
      if (!variable->isConstant()) return variable;
  return nullptr;
}

constexpr StringRef position_prefix = "gridspan.position.";

FunctionCallee position_marker(Module& module, unsigned axis) {
  FunctionCallee callee =
      module.getOrInsertFunction((position_prefix + Twine("xyz"[axis])).str(),
                                 FunctionType::get(Type::getInt32Ty(module.getContext()), false));
  auto* function = cast<Function>(callee.getCallee());
  function->setMemoryEffects(MemoryEffects::none());
  for (auto attribute : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::Speculatable})
    function->addFnAttr(attribute);
  return callee;
}

bool is_position(Value* sum, unsigned axis) {
  auto reads = [](Value* value, Intrinsic::ID id) {
    auto* call = dyn_cast<IntrinsicInst>(value);
    return call && call->getIntrinsicID() == id;
  };
  Value *first, *second, *thread;
  return sum->getType()->isIntegerTy(32) &&
         match(sum, m_c_Add(m_Mul(m_Value(first), m_Value(second)), m_Value(thread))) &&
         reads(thread, thread_index_registers[axis]) &&
         ((reads(first, block_index_registers[axis]) &&
           reads(second, block_size_registers[axis])) ||
          (reads(second, block_index_registers[axis]) && reads(first, block_size_registers[axis])));
}

void hide_positions(Function& function) {
  for (Instruction& instruction : instructions(function))
    for (unsigned axis = 0; axis < 2; ++axis)
      if (is_position(&instruction, axis))
        instruction.replaceAllUsesWith(
            IRBuilder<>(&instruction).CreateCall(position_marker(*function.getParent(), axis)));
}

Constant* number(Type* type, std::uint64_t bits) {
  const APInt all(64, bits);
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return ConstantInt::get(type, all.trunc(type->getIntegerBitWidth()));
  if (type->isFloatTy())
    return ConstantFP::get(type, APFloat(APFloat::IEEEsingle(), all.trunc(32)));
  if (type->isDoubleTy()) return ConstantFP::get(type, APFloat(APFloat::IEEEdouble(), all));
  return nullptr;
}

}  // namespace

std::optional<std::string> why_not_specialised(Function& kernel) {
  for (Function* function : reachable_functions(kernel))
    for (Instruction& instruction : instructions(*function)) {
      const std::string where = to_string(source_line(instruction));
      if (is_free(instruction)) return where + ": floating-point operations may be combined";
      if (uses_address(instruction)) return where + ": uses a function's address";
      if (auto* call = dyn_cast<CallBase>(&instruction); call && call->isIndirectCall())
        return where + ": calls through a pointer";
      if (changing_variable(instruction)) return where + ": uses a variable of the library";
    }
  return std::nullopt;
}

void specialise(Function& kernel, const support::LaunchCondition& condition) {
  for (const auto& [index, bits] : condition.scalars) {
    if (index >= kernel.arg_size() || kernel.getArg(index)->hasByValAttr()) continue;
    if (Constant* value = number(kernel.getArg(index)->getType(), bits))
      kernel.getArg(index)->replaceAllUsesWith(value);
  }
  if (!condition.block) return;
  for (Function& function : *kernel.getParent()) {
    if (function.isDeclaration()) continue;
    hide_positions(function);
    set_known_shape(function, *condition.block);
  }
}

void show_positions(Module& module) {
  for (unsigned axis = 0; axis < 2; ++axis) {
    Function* hidden = module.getFunction((position_prefix + Twine("xyz"[axis])).str());
    if (!hidden) continue;
    for (User* user : make_early_inc_range(hidden->users())) {
      auto* call = cast<CallInst>(user);
      const std::uint32_t width = known_shape(*call->getFunction())[axis];
      IRBuilder<> builder(call);
      CallInst* block = builder.CreateIntrinsic(block_index_registers[axis], {}, {});
      CallInst* thread = builder.CreateIntrinsic(thread_index_registers[axis], {}, {});
      if (width > 1) bound_thread(*thread, width);
      Value* begin = builder.CreateMul(block, builder.getInt32(width));
      call->replaceAllUsesWith(builder.CreateAdd(begin, thread));
      call->eraseFromParent();
    }
    hidden->eraseFromParent();
  }
}

void keep_math_calls(Function& function) {
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    Type* type = instruction.getType();
    if (!call || !call->getCalledFunction() || (!type->isFloatTy() && !type->isDoubleTy()))
      continue;
    // Of a * b + c in one or two steps LLVM takes two where it knows a and b.
    if (call->getIntrinsicID() == Intrinsic::fmuladd)
      call->setCalledFunction(
          Intrinsic::getDeclaration(function.getParent(), Intrinsic::fma, {type}));
    if (StringRef name = c_library_name(call->getIntrinsicID()); !name.empty()) {
      call->setCalledFunction(function.getParent()->getOrInsertFunction(
          (Twine(name) + (type->isFloatTy() ? "f" : "")).str(), call->getFunctionType()));
      call->setDoesNotAccessMemory();
      call->setDoesNotThrow();
      call->addFnAttr(Attribute::WillReturn);
    }
    const Function& callee = *call->getCalledFunction();
    if (callee.isDeclaration() && !callee.isIntrinsic()) call->addFnAttr(Attribute::NoBuiltin);
  }
}

void keep_math_calls(Module& module) {
  for (Function& function : module) keep_math_calls(function);
}

}  // namespace gridspan::transforms
