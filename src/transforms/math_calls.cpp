// Math functions by name: LLVM's, the C library's, and ours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/math_calls.h"

#include "abi/math_functions.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr StringRef prefix = "gridspan_math_";

bool has_vector_forms(StringRef name) {
#define NAME(name, arguments, accuracy) .Case(#name, true)
  return StringSwitch<bool>(name) GRIDSPAN_MATH_FUNCTIONS(NAME).Default(false);
#undef NAME
}

/// "exp" for llvm.exp.f32, llvm.exp.f64, expf and exp; empty for what has no vector forms.
StringRef function_of(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  Type* type = call.getType();
  if (!callee || !callee->isDeclaration() || (!type->isFloatTy() && !type->isDoubleTy())) return {};
  StringRef name = callee->getName();
  const bool is_known = name.consume_front("llvm.")
                            ? name.consume_back(type->isFloatTy() ? ".f32" : ".f64")
                            : type->isDoubleTy() || name.consume_back("f");
  return is_known && has_vector_forms(name) ? name : StringRef();
}

StringRef suffix_of(Type* type) { return type->isFloatTy() ? "_f32" : "_f64"; }

/// Reads nothing but its arguments, changes nothing, comes back.
Function* declare_pure(Module& module, const Twine& name, FunctionType* type) {
  SmallString<64> text;
  auto* function =
      cast<Function>(module.getOrInsertFunction(name.toStringRef(text), type).getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::WillReturn);
  function->addFnAttr(Attribute::NoFree);
  function->addFnAttr(Attribute::NoSync);
  return function;
}

FunctionType* type_of(Type* result, unsigned arguments) {
  return FunctionType::get(result, SmallVector<Type*>(arguments, result), false);
}

void rename(CallInst& call, const Twine& name) {
  Function* callee =
      declare_pure(*call.getModule(), name, type_of(call.getType(), call.arg_size()));
  call.setCalledFunction(callee);
  call.setAttributes({});
}

}  // namespace

void name_math_calls(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (auto* call = dyn_cast<CallInst>(&instruction))
        if (StringRef name = function_of(*call); !name.empty())
          rename(*call, prefix + name + suffix_of(call->getType()));
}

bool is_math_call(const Value& value) {
  auto* call = dyn_cast<CallInst>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration() || call->getType()->isVectorTy()) return false;
  StringRef name = callee->getName();
  return name.consume_front(prefix) && (name.consume_back("_f32") || name.consume_back("_f64")) &&
         has_vector_forms(name);
}

CallInst* call_math_of_vectors(IRBuilder<>& builder, const CallInst& call,
                               ArrayRef<Value*> arguments) {
  auto* type = cast<FixedVectorType>(arguments.front()->getType());
  Function* callee =
      declare_pure(*const_cast<Module*>(call.getModule()),
                   call.getCalledFunction()->getName() + "x" + Twine(type->getNumElements()),
                   type_of(type, call.arg_size()));
  CallInst* made = builder.CreateCall(callee, arguments, call.getName());
  made->copyFastMathFlags(&call);
  return made;
}

bool calls_math_of_vectors(const Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    auto* call = dyn_cast<CallInst>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && call->getType()->isVectorTy() && callee->getName().starts_with(prefix);
  });
}

void call_c_library(Function& function) {
  for (Instruction& instruction : instructions(function))
    if (is_math_call(instruction)) {
      auto& call = cast<CallInst>(instruction);
      const bool is_float = call.getType()->isFloatTy();
      StringRef name = call.getCalledFunction()->getName();
      name = name.drop_front(prefix.size()).drop_back(suffix_of(call.getType()).size());
      auto id = StringSwitch<Intrinsic::ID>(name)
                    .Case("cos", Intrinsic::cos)
                    .Case("exp", Intrinsic::exp)
                    .Case("exp10", Intrinsic::exp10)
                    .Case("exp2", Intrinsic::exp2)
                    .Case("log", Intrinsic::log)
                    .Case("log10", Intrinsic::log10)
                    .Case("log2", Intrinsic::log2)
                    .Case("sin", Intrinsic::sin)
                    .Default(Intrinsic::not_intrinsic);
      if (id == Intrinsic::not_intrinsic)
        rename(call, name + (is_float ? "f" : ""));
      else
        call.setCalledFunction(Intrinsic::getDeclaration(call.getModule(), id, {call.getType()}));
    }
}

}  // namespace gridspan::transforms
