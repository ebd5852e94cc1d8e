// Changes the entry of the list of constructors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/early_registration.h"

#include "abi/registration.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

bool registers_kernels(const ConstantStruct& entry) {
  const auto* function = dyn_cast<Function>(entry.getOperand(1)->stripPointerCasts());
  return function && function->getName() == "__cuda_module_ctor";
}

Constant* made_early(ConstantStruct& entry) {
  Constant* priority = ConstantInt::get(entry.getOperand(0)->getType(), abi::registration_priority);
  return ConstantStruct::get(entry.getType(), {priority, entry.getOperand(1), entry.getOperand(2)});
}

}  // namespace

PreservedAnalyses RegisterEarly::run(Module& module, ModuleAnalysisManager&) {
  GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
  auto* entries = list ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
  if (!entries) return PreservedAnalyses::all();
  SmallVector<Constant*> changed;
  for (const Use& use : entries->operands()) {
    auto* entry = cast<ConstantStruct>(use);
    changed.push_back(registers_kernels(*entry) ? made_early(*entry) : entry);
  }
  list->setInitializer(ConstantArray::get(entries->getType(), changed));
  return PreservedAnalyses::all();
}

}  // namespace gridspan::host_plugin
