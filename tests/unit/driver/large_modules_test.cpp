// What work on one kernel takes from a module of hundreds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/small_module.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace gridspan::transforms {
namespace {

using namespace llvm;

// `count` kernels, each with a variable that points to itself, a function of its own and one that
// all call, but nobody defines.
std::unique_ptr<Module> kernels(LLVMContext& context, unsigned count) {
  auto module = std::make_unique<Module>("kernels", context);
  Type* pointer = PointerType::get(context, 0);
  auto* type = FunctionType::get(Type::getVoidTy(context), {pointer}, false);
  FunctionCallee outside = module->getOrInsertFunction("outside", type);
  const auto define = [&](const Twine& name, Value* argument, FunctionCallee callee) {
    Function* function = Function::Create(type, GlobalValue::ExternalLinkage, name, *module);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
    builder.CreateCall(callee, {argument ? argument : function->getArg(0)});
    builder.CreateRetVoid();
    return function;
  };
  for (unsigned i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    auto* variable = new GlobalVariable(*module, pointer, false, GlobalValue::ExternalLinkage,
                                        nullptr, "variable" + number);
    variable->setInitializer(variable);
    Function* helper = define("helper" + number, variable, outside);
    Function* kernel = define("kernel" + number, nullptr, helper);
    Metadata* note[] = {ValueAsMetadata::get(kernel), MDString::get(context, "kernel"),
                        ValueAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1))};
    module->getOrInsertNamedMetadata("nvvm.annotations")->addOperand(MDNode::get(context, note));
  }
  return module;
}

TEST(SmallModule, HasWhatTheKernelReachesAndNothingElse) {
  LLVMContext context;
  const std::unique_ptr<Module> whole = kernels(context, 300);
  Function* reached[] = {whole->getFunction("kernel7"), whole->getFunction("helper7"),
                         whole->getFunction("outside")};
  ValueToValueMapTy copies;
  const std::unique_ptr<Module> small = small_module(reached, copies);
  EXPECT_FALSE(verifyModule(*small, &errs()));
  EXPECT_EQ(small->size(), 3u);
  EXPECT_EQ(small->global_size(), 1u);
  EXPECT_EQ(small->getNamedMetadata("nvvm.annotations")->getNumOperands(), 1u);
  Function* kernel = small->getFunction("kernel7");
  EXPECT_EQ(copies.lookup(reached[0]), kernel);
  EXPECT_FALSE(kernel->hasLocalLinkage());
  EXPECT_TRUE(small->getFunction("helper7")->hasLocalLinkage());
  EXPECT_TRUE(small->getFunction("outside")->isDeclaration());
  const GlobalVariable* variable = small->getNamedGlobal("variable7");
  ASSERT_NE(variable, nullptr);
  EXPECT_EQ(variable->getInitializer(), variable);
  for (Instruction& instruction : instructions(*reached[0]))
    EXPECT_EQ(cast<Instruction>(copies.lookup(&instruction))->getFunction(), kernel);
  EXPECT_FALSE(verifyModule(*whole, &errs()));  // nothing of it has changed
  EXPECT_EQ(whole->size(), 601u);
}

}  // namespace
}  // namespace gridspan::transforms
