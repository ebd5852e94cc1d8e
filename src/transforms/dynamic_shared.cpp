// Declares them anew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/dynamic_shared.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr unsigned shared_space = 3;

}  // namespace

bool is_dynamic_shared(const GlobalValue& value) {
  return isa<GlobalVariable>(value) && value.isDeclaration() &&
         value.getAddressSpace() == shared_space;
}

void make_dynamic_shared_unsized(Module& module) {
  const DataLayout& layout = module.getDataLayout();
  for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
    if (!is_dynamic_shared(variable) || layout.getTypeAllocSize(variable.getValueType()) == 0)
      continue;
    Type* unsized = ArrayType::get(Type::getInt8Ty(module.getContext()), 0);
    auto* other = new GlobalVariable(module, unsized, false, variable.getLinkage(), nullptr, "",
                                     &variable, GlobalValue::NotThreadLocal, shared_space);
    other->setAlignment(
        variable.getAlign().value_or(layout.getABITypeAlign(variable.getValueType())));
    other->takeName(&variable);
    variable.replaceAllUsesWith(other);
    variable.eraseFromParent();
  }
}

}  // namespace gridspan::transforms
