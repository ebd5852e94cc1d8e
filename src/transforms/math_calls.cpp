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

constexpr StringRef prefix = "gridspan_math_", libdevice = "__nv_", host = "__gridspan_";

/// Whose function of single numbers it is; none: there are no vector forms.
enum class Library { none, c, cuda };

Library library_of(StringRef name, Type* type) {
#define NAME(name, arguments, library) .Case(#name, Library::library)
  if (type->isFloatTy())
    return StringSwitch<Library>(name) GRIDSPAN_FLOAT_FUNCTIONS(NAME).Default(Library::none);
  if (type->isDoubleTy())
    return StringSwitch<Library>(name) GRIDSPAN_DOUBLE_FUNCTIONS(NAME).Default(Library::none);
#undef NAME
  return Library::none;
}

/// "exp" for llvm.exp.f32, llvm.exp.f64, expf and exp; empty for what is no function of C's that
/// has vector forms.
StringRef function_of(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  Type* type = call.getType();
  if (!callee || !callee->isDeclaration()) return {};
  StringRef name = callee->getName();
  const bool is_known = name.consume_front("llvm.")
                            ? name.consume_back(type->isFloatTy() ? ".f32" : ".f64")
                            : type->isDoubleTy() || name.consume_back("f");
  return is_known && library_of(name, type) == Library::c ? name : StringRef();
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

CallInst* call_of_number(IRBuilder<>& builder, StringRef name, ArrayRef<Value*> arguments) {
  Type* type = arguments.front()->getType();
  Function* callee = declare_pure(*builder.GetInsertBlock()->getModule(),
                                  prefix + name + suffix_of(type), type_of(type, arguments.size()));
  return builder.CreateCall(callee, arguments);
}

/// sincospi(x, sine, cosine) is both functions.
void split_half_turns(CallInst& call) {
  IRBuilder<> builder(&call);
  Value* x = call.getArgOperand(0);
  Value *sine = call_of_number(builder, "sinpi", x), *cosine = call_of_number(builder, "cospi", x);
  builder.CreateStore(sine, call.getArgOperand(1));
  builder.CreateStore(cosine, call.getArgOperand(2));
  call.eraseFromParent();
}

SmallVector<CallInst*> calls_of(Function& callee) {
  SmallVector<CallInst*> calls;
  for (User* user : callee.users())
    if (auto* call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == &callee)
      calls.push_back(call);
  return calls;
}

/// LLVM has an instruction for fmod.
void name_remainder(Instruction& instruction) {
  IRBuilder<> builder(&instruction);
  CallInst* call =
      call_of_number(builder, "fmod", {instruction.getOperand(0), instruction.getOperand(1)});
  call->copyFastMathFlags(&instruction);
  instruction.replaceAllUsesWith(call);
  instruction.eraseFromParent();
}

bool is_remainder(const Instruction& instruction) {
  return instruction.getOpcode() == Instruction::FRem &&
         library_of("fmod", instruction.getType()) == Library::c;
}

}  // namespace

void name_cuda_math_calls(Module& module) {
  for (Function& function : module) {
    StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front(libdevice) || function.arg_empty())
      continue;
    Type* type = function.getArg(0)->getType();
    if (type->isFloatTy() && !name.consume_back("f")) continue;
    if (name == "sincospi" && library_of("sinpi", type) == Library::cuda) {
      for (CallInst* call : calls_of(function)) split_half_turns(*call);
    } else if (library_of(name, type) == Library::cuda) {
      for (CallInst* call : calls_of(function)) rename(*call, prefix + name + suffix_of(type));
    }
  }
}

void name_math_calls(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (is_remainder(instruction))
        name_remainder(instruction);
      else if (StringRef name = call ? function_of(*call) : StringRef(); !name.empty())
        rename(*call, prefix + name + suffix_of(call->getType()));
    }
}

bool is_math_call(const Value& value) {
  auto* call = dyn_cast<CallInst>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration()) return false;
  StringRef name = callee->getName();
  return name.consume_front(prefix) && (name.consume_back("_f32") || name.consume_back("_f64")) &&
         library_of(name, call->getType()) != Library::none;
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

void call_math_of_numbers(Function& function) {
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
                    .Case("pow", Intrinsic::pow)
                    .Case("sin", Intrinsic::sin)
                    .Default(Intrinsic::not_intrinsic);
      const bool is_cudas = library_of(name, call.getType()) == Library::cuda;
      if (is_cudas || id == Intrinsic::not_intrinsic)
        rename(call, (is_cudas ? host : "") + name + (is_float ? "f" : ""));
      else
        call.setCalledFunction(Intrinsic::getDeclaration(call.getModule(), id, {call.getType()}));
    }
}

}  // namespace gridspan::transforms
