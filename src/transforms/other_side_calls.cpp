// The failed assertion in the place of a call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/other_side_calls.h"

#include "abi/other_side.h"
#include "support/readable_name.h"
#include "transforms/source_points.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

FunctionCallee assertion(Module& module) {
  LLVMContext& context = module.getContext();
  Type* text = PointerType::get(context, 0);
  FunctionCallee callee = module.getOrInsertFunction(
      "__assertfail",
      FunctionType::get(Type::getVoidTy(context),
                        {text, text, Type::getInt32Ty(context), text, Type::getInt64Ty(context)},
                        /*isVarArg=*/false));
  cast<Function>(callee.getCallee())->setDoesNotThrow();
  return callee;
}

void fail(Instruction& place, StringRef called, const SourceLine& line, const std::string& caller) {
  IRBuilder<> builder(&place);
  const auto text = [&](const std::string& words) { return builder.CreateGlobalString(words); };
  builder
      .CreateCall(assertion(*place.getModule()),
                  {text("no call of " + called.str() + ", a function of the host"), text(line.file),
                   builder.getInt32(line.line), text(caller), builder.getInt64(1)})
      ->setDoesNotReturn();
}

void end_at(CallBase& call, StringRef called) {
  fail(call, called, source_line(call),
       support::readable_name(call.getFunction()->getName().str()));
  changeToUnreachable(&call);
}

/// Who calls it through a pointer finds the same.
void define(Function& function, StringRef called) {
  function.deleteBody();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setComdat(nullptr);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  fail(*builder.CreateUnreachable(), called, {function.getParent()->getSourceFileName()},
       called.str());
}

/// Assignments return the object they are called for.
void do_nothing(Function& function) {
  function.deleteBody();
  function.setSection("");
  function.setComdat(nullptr);
  function.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  Type* type = function.getReturnType();
  if (type->isVoidTy())
    builder.CreateRetVoid();
  else if (!function.arg_empty() && function.getArg(0)->getType() == type)
    builder.CreateRet(function.getArg(0));
  else
    builder.CreateRet(PoisonValue::get(type));
}

/// A destructor that nobody wrote leaves it out.
void lower_host_destructor(Function& destructor) {
  StringRef label = destructor.getName();
  label.consume_front(abi::other_side_prefix);
  const std::string name = support::readable_name(label.str());
  destructor.setSection("");
  for (User* user : make_early_inc_range(destructor.users())) {
    auto* call = dyn_cast<CallBase>(user);
    if (!call || call->getCalledOperand() != &destructor) continue;
    if (call->getFunction()->getSection() == StringRef(abi::unwritten_section))
      call->eraseFromParent();
    else
      end_at(*call, name);
  }
  if (!destructor.use_empty()) return define(destructor, name);
  destructor.deleteBody();
  destructor.setLinkage(GlobalValue::ExternalLinkage);
  destructor.setComdat(nullptr);
}

void lower_host_destructors(Module& module) {
  for (Function& function : module)
    if (function.getSection() == StringRef(abi::host_destructor_section))
      lower_host_destructor(function);
  for (Function& function : module)
    if (function.getSection() == StringRef(abi::unwritten_section)) function.setSection("");
}

}  // namespace

void lower_other_side_calls(Module& module) {
  for (Function& function : module)
    if (function.getSection().starts_with(abi::borrowed_section)) do_nothing(function);
  lower_host_destructors(module);
  SmallVector<Function*> others;
  for (Function& function : module)
    if (function.getName().starts_with(abi::other_side_prefix)) others.push_back(&function);
  for (Function* function : others) {
    const std::string called = function->getName().substr(abi::other_side_prefix.size()).str();
    for (User* user : make_early_inc_range(function->users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (call && call->getCalledOperand() == function) end_at(*call, called);
    }
    if (function->use_empty())
      function->eraseFromParent();
    else
      define(*function, called);
  }
}

}  // namespace gridspan::transforms
