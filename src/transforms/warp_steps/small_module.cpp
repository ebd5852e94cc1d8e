// Copies what is named when it is met.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/small_module.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// What functions name and `copies` lacks.
class Named : public ValueMaterializer {
 public:
  Named(Module& module, ValueToValueMapTy& copies) : module_(module), copies_(copies) {}

  Value* materialize(Value* value) override {
    if (auto* function = dyn_cast<Function>(value)) return declare(*function);
    if (auto* variable = dyn_cast<GlobalVariable>(value)) return copy(*variable);
    if (auto* alias = dyn_cast<GlobalAlias>(value)) return copy(*alias);
    return nullptr;
  }

  Function* declare(const Function& function) {
    Function* copy = Function::Create(function.getFunctionType(), GlobalValue::ExternalLinkage,
                                      function.getAddressSpace(), function.getName(), &module_);
    copies_[&function] = copy;
    copy->copyAttributesFrom(&function);
    copy->setPersonalityFn(nullptr);
    return copy;
  }

 private:
  GlobalVariable* copy(const GlobalVariable& variable) {
    auto* copy = new GlobalVariable(module_, variable.getValueType(), variable.isConstant(),
                                    variable.getLinkage(), nullptr, variable.getName(), nullptr,
                                    variable.getThreadLocalMode(), variable.getAddressSpace());
    copies_[&variable] = copy;  // it may name itself
    copy->copyAttributesFrom(&variable);
    if (variable.hasInitializer())
      copy->setInitializer(MapValue(variable.getInitializer(), copies_, RF_None, nullptr, this));
    return copy;
  }

  GlobalAlias* copy(const GlobalAlias& alias) {
    auto* copy = GlobalAlias::create(alias.getValueType(), alias.getAddressSpace(),
                                     alias.getLinkage(), alias.getName(), &module_);
    copies_[&alias] = copy;
    copy->setAliasee(MapValue(alias.getAliasee(), copies_, RF_None, nullptr, this));
    return copy;
  }

  Module& module_;
  ValueToValueMapTy& copies_;
};

void copy_body(Function& function, ValueToValueMapTy& copies, Named& named) {
  auto* copy = cast<Function>(copies.lookup(&function));
  for (Argument& argument : function.args()) {
    Argument* other = copy->getArg(argument.getArgNo());
    other->setName(argument.getName());
    copies[&argument] = other;
  }
  // Debug information stays where it is: following it would lead to all of the module's.
  if (DISubprogram* program = function.getSubprogram()) copies.MD()[program].reset(program);
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(copy, &function, copies, CloneFunctionChangeType::ClonedModule, returns, "",
                    nullptr, nullptr, &named);
  copy->setSubprogram(nullptr);
  stripDebugInfo(*copy);
}

/// Which of them are kernels.
void copy_annotations(const Module& whole, ValueToValueMapTy& copies, Module& module) {
  constexpr char annotations[] = "nvvm.annotations";
  const NamedMDNode* notes = whole.getNamedMetadata(annotations);
  if (!notes) return;
  for (const MDNode* note : notes->operands()) {
    auto* function = mdconst::dyn_extract_or_null<Function>(note->getOperand(0));
    if (function && copies.count(function) != 0)
      module.getOrInsertNamedMetadata(annotations)->addOperand(MapMetadata(note, copies));
  }
}

}  // namespace

std::unique_ptr<Module> small_module(ArrayRef<Function*> functions, ValueToValueMapTy& copies) {
  const Module& whole = *functions.front()->getParent();
  auto module = std::make_unique<Module>(whole.getModuleIdentifier(), whole.getContext());
  module->setDataLayout(whole.getDataLayout());
  module->setTargetTriple(whole.getTargetTriple());
  Named named(*module, copies);
  for (const Function* function : functions) named.declare(*function);
  for (Function* function : functions)
    if (!function->isDeclaration()) copy_body(*function, copies, named);
  // What has been inlined is not needed any more.
  for (const Function* function : functions.drop_front())
    if (!function->isDeclaration())
      cast<Function>(copies.lookup(function))->setLinkage(GlobalValue::InternalLinkage);
  copy_annotations(whole, copies, *module);
  return module;
}

}  // namespace gridspan::transforms
