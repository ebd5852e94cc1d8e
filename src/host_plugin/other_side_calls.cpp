// Defines the device functions that host code calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/other_side_calls.h"

#include "abi/other_side.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

void fail(Instruction& place, StringRef called) {
  Module& module = *place.getModule();
  IRBuilder<> builder(&place);
  const auto text = [&](const Twine& words) { return builder.CreateGlobalString(words.str()); };
  Type* pointer = builder.getPtrTy();
  const FunctionCallee assertion = module.getOrInsertFunction(
      "__assert_fail", builder.getVoidTy(), pointer, pointer, builder.getInt32Ty(), pointer);
  builder
      .CreateCall(assertion, {text("no call of " + called + ", a function of the device"),
                              text(module.getSourceFileName()), builder.getInt32(0),
                              text(place.getFunction()->getName())})
      ->setDoesNotReturn();
}

/// The address of a device function is the same in all files that name it, and ends the program.
void define_device_function(Function& function) {
  const bool is_of_this_file = function.getSection().ends_with(abi::of_this_file);
  const std::string called = demangle(function.getName());
  function.deleteBody();
  function.setSection("");
  function.setComdat(nullptr);
  function.setLinkage(is_of_this_file ? GlobalValue::InternalLinkage : GlobalValue::WeakAnyLinkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  fail(*builder.CreateUnreachable(), called);
}

bool is_of_device(const Function& function) {
  return function.getSection().starts_with(abi::device_function_section) ||
         function.getSection().starts_with(abi::borrowed_section);
}

/// A constructor or destructor of the device that the host runs a part of
/// (clang_plugin/borrowed_bodies.h).
bool has_code(const Function& function) {
  return function.getSection().starts_with(abi::borrowed_section) && !function.isDeclaration();
}

}  // namespace

PreservedAnalyses EndOtherSideCalls::run(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (Function& function : make_early_inc_range(module)) {
    if (has_code(function)) {
      function.setSection("");
    } else if (is_of_device(function)) {
      define_device_function(function);
    }
    changed |= is_of_device(function);
    StringRef called = function.getName();
    if (!called.consume_front(abi::other_side_prefix)) continue;
    const std::string name = called.str();
    for (User* user : make_early_inc_range(function.users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledOperand() != &function) continue;
      fail(*call, name);
      changeToUnreachable(call);
    }
    function.deleteBody();
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", &function));
    fail(*builder.CreateUnreachable(), name);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace gridspan::host_plugin
