// Linkage, attributes and math of a module for PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/prepare.h"

#include "support/ptx_names.h"
#include "transforms/c_library.h"
#include "transforms/kernels.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

/// Functions of the library inline into any caller, so callers don't say what they are for.
void drop_target_attributes(Module& module) {
  for (Function& function : module)
    for (StringRef name : {"target-cpu", "target-features", "frame-pointer", "no-builtins",
                           "stack-protector-buffer-size", "no-trapping-math"})
      function.removeFnAttr(name);
}

void drop_lists(Module& module) {
  for (StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    if (GlobalVariable* list = module.getGlobalVariable(name)) list->eraseFromParent();
  // Keeps variables that host code names; visible ones stay anyway.
  for (GlobalVariable& list : make_early_inc_range(module.globals()))
    if (list.getName().starts_with("__clang_gpu_used_external")) list.eraseFromParent();
}

/// Texture and surface references are variables with handles of ours, not the driver's. clang
/// aligns them as it does the host's structs.
void unmark_references(Module& module) {
  NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations");
  if (!annotations) return;
  SmallVector<MDNode*> others;
  for (MDNode* node : annotations->operands()) {
    auto* reference = mdconst::dyn_extract_or_null<GlobalVariable>(node->getOperand(0));
    if (reference)
      reference->setAlignment(std::max(reference->getAlign().valueOrOne(), Align(8)));
    else
      others.push_back(node);
  }
  annotations->clearOperands();
  for (MDNode* node : others) annotations->addOperand(node);
}

/// A reference passed by value is its handle.
void load_handles(Module& module) {
  for (Function& function : make_early_inc_range(module)) {
    if (function.getIntrinsicID() != Intrinsic::nvvm_texsurf_handle_internal) continue;
    for (User* user : make_early_inc_range(function.users())) {
      auto* const call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateLoad(call->getType(), call->getArgOperand(0)));
      call->eraseFromParent();
    }
  }
}

/// A variable that each device has its own value of (transforms/lower_globals.h).
bool is_symbol(const GlobalVariable& variable) {
  const unsigned space = variable.getAddressSpace();
  if (variable.isDeclaration() || (space != global_space && space != constant_space)) return false;
  return !variable.isConstant() || variable.isExternallyInitialized();
}

/// LLVM does this itself for what is not visible.
void make_name_valid(GlobalValue& value) {
  if (value.getName().contains('.')) value.setName(support::name_in_ptx(value.getName()));
}

void make_visible(GlobalValue& value) {
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::DefaultVisibility);
  if (auto* object = dyn_cast<GlobalObject>(&value)) object->setComdat(nullptr);
}

void settle_linkage(Module& module) {
  SmallPtrSet<const Function*, 16> kernels;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    kernels.insert(kernel.function);
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    make_visible(function);
    if (kernels.contains(&function))
      make_name_valid(function);
    else
      function.setLinkage(GlobalValue::InternalLinkage);
  }
  for (GlobalVariable& variable : module.globals()) {
    if (is_symbol(variable)) make_visible(variable);
    if (is_symbol(variable) || variable.isDeclaration()) make_name_valid(variable);
    if (variable.hasLinkOnceLinkage() || variable.hasWeakLinkage()) {
      make_visible(variable);
      variable.setLinkage(GlobalValue::InternalLinkage);
    }
  }
}

/// As nvcc does unless it is told -fmad=false. The library's functions are not asked: they rely on
/// each rounding.
void allow_contraction(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : instructions(function)) switch (instruction.getOpcode()) {
        case Instruction::FAdd:
        case Instruction::FSub:
        case Instruction::FMul:
          instruction.setHasAllowContract(true);
          break;
        default:
          break;
      }
}

/// With -use_fast_math, divisions and roots of float are the instructions that take an
/// approximation.
void approximate(Module& module) {
  for (Function& function : module) {
    const bool flushes =
        function.getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign;
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      const auto* operation = dyn_cast<FPMathOperator>(&instruction);
      if (!operation || !operation->hasAllowReciprocal() || !operation->getType()->isFloatTy())
        continue;
      Intrinsic::ID id = Intrinsic::not_intrinsic;
      SmallVector<Value*> operands;
      const auto* call = dyn_cast<CallInst>(&instruction);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (instruction.getOpcode() == Instruction::FDiv) {
        id = flushes ? Intrinsic::nvvm_div_approx_ftz_f : Intrinsic::nvvm_div_approx_f;
        operands = {instruction.getOperand(0), instruction.getOperand(1)};
      } else if (callee && (callee->getName() == "__nv_sqrtf" ||
                            callee->getIntrinsicID() == Intrinsic::sqrt)) {
        id = flushes ? Intrinsic::nvvm_sqrt_approx_ftz_f : Intrinsic::nvvm_sqrt_approx_f;
        operands = {instruction.getOperand(0)};
      } else {
        continue;
      }
      auto* made = CallInst::Create(Intrinsic::getDeclaration(&module, id), operands, "",
                                    instruction.getIterator());
      made->setDebugLoc(instruction.getDebugLoc());
      instruction.replaceAllUsesWith(made);
      instruction.eraseFromParent();
    }
  }
}

void call_c_library(Module& module) {
  for (Function& function : make_early_inc_range(module)) {
    const StringRef name = transforms::c_library_name(function.getIntrinsicID());
    Type* type = function.getReturnType();
    if (name.empty() || (!type->isFloatTy() && !type->isDoubleTy())) continue;
    FunctionCallee callee = module.getOrInsertFunction(
        (name + (type->isFloatTy() ? "f" : "")).str(), function.getFunctionType());
    function.replaceAllUsesWith(callee.getCallee());
    function.eraseFromParent();
  }
}

void annotate(Function& kernel, StringRef key, unsigned value) {
  LLVMContext& context = kernel.getContext();
  auto* number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value));
  kernel.getParent()
      ->getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(MDNode::get(
          context, {ConstantAsMetadata::get(&kernel), MDString::get(context, key), number}));
}

/// -maxrregcount: for kernels that do not say themselves how many blocks a processor should hold.
void limit_registers(const transforms::KernelDeclaration& kernel, const PtxOptions& options) {
  if (options.max_registers != 0 && kernel.min_blocks == 0)
    annotate(*kernel.function, "maxnreg", options.max_registers);
}

/// LLVM 19 writes alignment 0 for an alloca of varying size that asks for no more than the stack's
/// 8 bytes; ptxas refuses it.
void align_varying_allocas(Module& module) {
  const Align more_than_stack(16);
  for (Function& function : module)
    for (Instruction& i : instructions(function)) {
      auto* place = dyn_cast<AllocaInst>(&i);
      if (place != nullptr && !isa<ConstantInt>(place->getArraySize()))
        place->setAlignment(std::max(place->getAlign(), more_than_stack));
    }
}

}  // namespace

void prepare(Module& module, const PtxOptions& options) {
  drop_lists(module);
  unmark_references(module);
  load_handles(module);
  drop_target_attributes(module);
  settle_linkage(module);
  if (options.contracts) allow_contraction(module);
  approximate(module);
  call_c_library(module);
  align_varying_allocas(module);
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    limit_registers(kernel, options);
}

void annotate_kernel(const transforms::KernelDeclaration& kernel, const PtxOptions& options) {
  annotate(*kernel.function, "kernel", 1);
  if (kernel.max_threads != 0) annotate(*kernel.function, "maxntidx", kernel.max_threads);
  limit_registers(kernel, options);
}

bool uses_variables(Function& kernel) {
  const auto functions = transforms::reachable_functions(kernel);
  return any_of(kernel.getParent()->globals(), [&](const GlobalVariable& variable) {
    if (!is_symbol(variable) && !variable.isDeclaration()) return false;
    SmallVector<const User*> users(variable.users());
    SmallPtrSet<const User*, 16> seen(users.begin(), users.end());
    while (!users.empty()) {
      const User* user = users.pop_back_val();
      if (auto* instruction = dyn_cast<Instruction>(user)) {
        if (is_contained(functions, instruction->getFunction())) return true;
        continue;
      }
      for (const User* further : user->users())
        if (seen.insert(further).second) users.push_back(further);
    }
    return false;
  });
}

}  // namespace gridspan::codegen::ptx
