// Replaces the variables by loads of their addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/managed_variables.h"

#include "transforms/lower_globals.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

#include <map>

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

MDNode* number(LLVMContext& context, std::uint64_t value) {
  return MDNode::get(context,
                     ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), value)));
}

/// At entry, where it is good for every use.
Value* load_address(Function& function, GlobalVariable& variable, GlobalVariable& place) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  LoadInst* load = builder.CreateLoad(place.getValueType(), &place, variable.getName());
  LLVMContext& context = function.getContext();
  const std::uint64_t size =
      function.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType());
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  load->setMetadata(LLVMContext::MD_nonnull, MDNode::get(context, {}));
  load->setMetadata(LLVMContext::MD_dereferenceable, number(context, size));
  load->setMetadata(LLVMContext::MD_align,
                    number(context, variable.getAlign().valueOrOne().value()));
  return load;
}

GlobalVariable& add_place(GlobalVariable& variable) {
  auto* place = new GlobalVariable(
      *variable.getParent(), variable.getType(), /*isConstant=*/false, GlobalValue::ExternalLinkage,
      ConstantPointerNull::get(variable.getType()), variable.getName() + managed_suffix, &variable,
      GlobalValue::NotThreadLocal, variable.getAddressSpace(), /*isExternallyInitialized=*/true);
  place->setAlignment(Align(8));
  return *place;
}

void replace(GlobalVariable& variable) {
  convertUsersOfConstantsToInstructions({&variable});
  GlobalVariable& place = add_place(variable);
  std::map<Function*, Value*> addresses;
  for (Use& use : make_early_inc_range(variable.uses())) {
    auto* user = dyn_cast<Instruction>(use.getUser());
    if (!user) continue;
    Value*& address = addresses[user->getFunction()];
    if (!address) address = load_address(*user->getFunction(), variable, place);
    use.set(address);
  }
  // Initial values and lists of our headers are left; PTX has zeros there.
  variable.replaceAllUsesWith(PoisonValue::get(variable.getType()));
  variable.eraseFromParent();
}

}  // namespace

void load_managed_addresses(Module& module) {
  SmallVector<GlobalVariable*> all;
  const SmallPtrSet<const GlobalVariable*, 8> managed = transforms::managed_variables(module);
  for (GlobalVariable& variable : module.globals())
    if (managed.contains(&variable)) all.push_back(&variable);
  for (GlobalVariable* variable : all)
    if (!variable->isDeclaration()) replace(*variable);
}

}  // namespace gridspan::codegen::ptx
