// Finds the addresses of the built-in variables, replaces what is read through them, and makes
// objects for the addresses that are left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/builtin_variables.h"

#include "abi/launch.h"
#include "transforms/kernels.h"
#include "transforms/special_registers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <optional>

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr std::uint64_t word_size = 4;

struct BuiltinVariable {
  StringRef name;
  AxisRegisters registers;
};

constexpr StringRef warp_size_name = "warpSize";

const BuiltinVariable variables[] = {{"threadIdx", thread_index_registers},
                                     {"blockIdx", block_index_registers},
                                     {"blockDim", block_size_registers},
                                     {"gridDim", grid_size_registers}};

Value* read_register(IRBuilder<>& builder, const BuiltinVariable& variable, std::uint64_t axis) {
  return builder.CreateIntrinsic(variable.registers[axis], {}, {});
}

/// The words [offset, offset + size) of an object, if they are whole ones of it.
bool are_words(std::uint64_t offset, std::uint64_t size) {
  return offset % word_size == 0 && size % word_size == 0 && offset + size <= 3 * word_size;
}

bool replace_load(LoadInst& load, const BuiltinVariable& variable, std::uint64_t offset) {
  if (!load.getType()->isIntegerTy(32) || !are_words(offset, word_size)) return false;
  IRBuilder<> builder(&load);
  Value* word = read_register(builder, variable, offset / word_size);
  word->takeName(&load);
  load.replaceAllUsesWith(word);
  load.eraseFromParent();
  return true;
}

bool replace_copy(MemTransferInst& copy, const BuiltinVariable& variable, std::uint64_t offset) {
  const auto* length = dyn_cast<ConstantInt>(copy.getLength());
  if (!length || !are_words(offset, length->getZExtValue())) return false;
  IRBuilder<> builder(&copy);
  for (std::uint64_t at = 0; at < length->getZExtValue(); at += word_size) {
    Value* word = read_register(builder, variable, (offset + at) / word_size);
    Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), at);
    builder.CreateAlignedStore(word, place, commonAlignment(copy.getDestAlign().valueOrOne(), at),
                               copy.isVolatile());
  }
  copy.eraseFromParent();
  return true;
}

/// Replaces what reads through `address`, which is `offset` bytes into the variable.
void replace_reads(Instruction& address, const BuiltinVariable& variable, std::uint64_t offset) {
  const DataLayout& layout = address.getModule()->getDataLayout();
  for (Use& use : make_early_inc_range(address.uses())) {
    auto* user = cast<Instruction>(use.getUser());
    APInt step(64, 0);
    if (auto* load = dyn_cast<LoadInst>(user)) {
      replace_load(*load, variable, offset);
    } else if (auto* copy = dyn_cast<MemTransferInst>(user)) {
      if (&copy->getRawSourceUse() == &use) replace_copy(*copy, variable, offset);
    } else if (auto* member = dyn_cast<GetElementPtrInst>(user)) {
      if (!member->accumulateConstantOffset(layout, step)) continue;
      replace_reads(*member, variable, offset + step.getZExtValue());
      if (member->use_empty()) member->eraseFromParent();
    }
  }
}

const BuiltinVariable* variable_named(StringRef name) {
  const auto* found =
      find_if(variables, [name](const BuiltinVariable& one) { return one.name == name; });
  return found != std::end(variables) ? found : nullptr;
}

const BuiltinVariable* variable_of(const CallInst& address) {
  const Value* global = address.getArgOperand(0)->stripPointerCasts();
  return isa<GlobalVariable>(global) ? variable_named(global->getName()) : nullptr;
}

/// `address` may have been handed on by choices and to members.
bool is_address(const Value* value) {
  SmallPtrSet<const Value*, 8> seen;
  SmallVector<const Value*> open{value};
  while (!open.empty()) {
    const Value* one = open.pop_back_val()->stripInBoundsOffsets();
    if (!seen.insert(one).second) continue;
    if (const auto* phi = dyn_cast<PHINode>(one))
      append_range(open, phi->incoming_values());
    else if (const auto* select = dyn_cast<SelectInst>(one))
      open.append({select->getTrueValue(), select->getFalseValue()});
    else if (const auto* call = dyn_cast<IntrinsicInst>(one);
             call && call->getIntrinsicID() == Intrinsic::threadlocal_address)
      return true;
  }
  return false;
}

class Lowering {
 public:
  Lowering(Module& module, UserErrors& errors) : module_(module), errors_(errors) {}

  void run() {
    for (CallInst* address : addresses()) {
      replace_reads(*address, *variable_of(*address), 0);
      if (address->use_empty())
        address->eraseFromParent();
      else
        open_.insert(address->getFunction());
    }
    move_addresses_to_kernels();
    for (CallInst* address : addresses()) {
      address->replaceAllUsesWith(object(*address->getFunction(), *variable_of(*address)));
      address->eraseFromParent();
    }
    for (const BuiltinVariable& variable : variables) erase(variable.name);
  }

 private:
  SmallVector<CallInst*> addresses() {
    SmallVector<CallInst*> found;
    for (Function& function : module_) {
      if (function.getIntrinsicID() != Intrinsic::threadlocal_address) continue;
      for (User* user : function.users())
        if (auto* call = dyn_cast<CallInst>(user); call && variable_of(*call))
          found.push_back(call);
    }
    return found;
  }

  /// Inlines functions that use addresses, and then those they were inlined into.
  void move_addresses_to_kernels() {
    for (const KernelDeclaration& kernel : find_kernels(module_)) kernels_.insert(kernel.function);
    SmallPtrSet<Function*, 8> done;
    while (!open_.empty()) {
      Function* function = open_.pop_back_val();
      if (kernels_.contains(function) || !done.insert(function).second) continue;
      inline_into_callers(*function);
    }
  }

  void inline_into_callers(Function& function) {
    SmallVector<CallBase*> calls;
    for (User* user : function.users())
      if (auto* call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &function)
        calls.push_back(call);
    for (CallBase* call : calls) {
      Function* caller = call->getFunction();
      InlineFunctionInfo info;
      if (caller != &function && InlineFunction(*call, info).isSuccess()) open_.insert(caller);
    }
    function.removeDeadConstantUsers();
    if (!function.use_empty()) refuse_references_out_of(function);
  }

  void refuse_references_out_of(const Function& function) {
    for (const BasicBlock& block : function) {
      const auto* result = dyn_cast<ReturnInst>(block.getTerminator());
      if (!result || !result->getReturnValue() || !is_address(result->getReturnValue())) continue;
      errors_.push_back({source_line(*result),
                         "a reference to a built-in variable is returned by a function that is "
                         "recursive or called through a pointer; return a copy"});
    }
  }

  AllocaInst* object(Function& function, const BuiltinVariable& variable) {
    AllocaInst*& made = objects_[{&function, &variable}];
    if (made) return made;
    BasicBlock& entry = function.getEntryBlock();
    IRBuilder<> builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
    made = builder.CreateAlloca(ArrayType::get(builder.getInt32Ty(), 3), nullptr, variable.name);
    for (std::uint64_t axis = 0; axis < 3; ++axis)
      builder.CreateStore(read_register(builder, variable, axis),
                          builder.CreateConstInBoundsGEP1_64(builder.getInt32Ty(), made, axis));
    return made;
  }

  void erase(StringRef name) {
    GlobalVariable* variable = module_.getGlobalVariable(name);
    if (!variable || !variable->isThreadLocal()) return;
    variable->removeDeadConstantUsers();
    if (variable->use_empty()) variable->eraseFromParent();
  }

  Module& module_;
  UserErrors& errors_;
  SmallPtrSet<Function*, 8> kernels_;
  SetVector<Function*> open_;  // non-kernels among them are inlined
  DenseMap<std::pair<Function*, const BuiltinVariable*>, AllocaInst*> objects_;
};

/// Unless the program has a constant of this name.
void define_warp_size(Module& module) {
  GlobalVariable* variable = module.getGlobalVariable(warp_size_name);
  if (!variable || !variable->isDeclaration() || !variable->getValueType()->isIntegerTy(32)) return;
  variable->setInitializer(ConstantInt::get(variable->getValueType(), abi::warp_size));
  variable->setLinkage(GlobalValue::InternalLinkage);
  variable->setConstant(true);
  SmallVector<Value*> addresses{variable};
  for (unsigned i = 0; i < addresses.size(); ++i)
    for (User* user : make_early_inc_range(addresses[i]->users())) {
      if (isa<AddrSpaceCastOperator>(user)) addresses.push_back(user);
      auto* load = dyn_cast<LoadInst>(user);
      if (!load || load->getType() != variable->getValueType()) continue;
      load->replaceAllUsesWith(variable->getInitializer());
      load->eraseFromParent();
    }
  variable->removeDeadConstantUsers();
  if (variable->use_empty()) variable->eraseFromParent();
}

}  // namespace

bool is_builtin_variable(const GlobalValue& value) {
  return isa<GlobalVariable>(value) && value.isDeclaration() &&
         (value.getName() == warp_size_name || variable_named(value.getName()) != nullptr);
}

void lower_builtin_variables(Module& module, UserErrors& errors) {
  Lowering(module, errors).run();
  define_warp_size(module);
}

}  // namespace gridspan::transforms
