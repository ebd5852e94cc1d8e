// Finds the calls that may allocate, and strips the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/call_lines.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

/// The C++ library's, the compiler's own, and those of CUDA's that are called often and allocate
/// nothing that the program frees.
constexpr StringRef others[] = {
    "_ZNS",       "_ZNKS",      "_ZS",          "_ZN9__gnu_cxx",  "_Zn",
    "_Zd",        "__cxa_",     "_Unwind_",     "__gxx_",         "__clang_",
    "__cuda",     "cudaLaunch", "cudaMemcpy",   "cudaMemset",     "cudaGetLastError",
    "cudaEvent",  "cudaPeekAt", "cudaGetError", "cudaDeviceSync", "cudaStreamSync",
    "cudaGetDev", "cudaSetDev", "cudaFuncSet",  "cudaThreadSync", "__stack_chk",
};

class Calls {
 public:
  explicit Calls(Module& module)
      : names_(Triple(module.getTargetTriple())), library_(names_), module_(module) {
    while (find_more()) {
    }
  }

  bool may_allocate(const Function& function) const { return found_.contains(&function); }
  bool may_allocate(const Instruction& instruction) const {
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || call->isInlineAsm() || isa<IntrinsicInst>(call)) return false;
    const auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
    if (!callee) return true;
    return callee->isDeclaration() ? !is_other(*callee) : may_allocate(*callee);
  }

 private:
  bool is_other(const Function& function) const {
    LibFunc known;
    StringRef name = function.getName();
    name.consume_front("\1");
    name.consume_front("gridspan_");
    return library_.getLibFunc(name, known) ||
           any_of(others, [&](StringRef other) { return name.starts_with(other); });
  }

  bool find_more() {
    const std::size_t before = found_.size();
    for (const Function& function : module_)
      if (!may_allocate(function) &&
          any_of(instructions(function), [&](const auto& one) { return may_allocate(one); }))
        found_.insert(&function);
    return found_.size() != before;
  }

  TargetLibraryInfoImpl names_;
  TargetLibraryInfo library_;
  const Module& module_;
  SmallPtrSet<const Function*, 32> found_;
};

}  // namespace

PreservedAnalyses KeepCallLines::run(Module& module, ModuleAnalysisManager&) {
  const Calls calls(module);
  for (Function& function : module) {
    if (!calls.may_allocate(function)) {
      stripDebugInfo(function);
      continue;
    }
    for (Instruction& instruction : instructions(function))
      if (!calls.may_allocate(instruction)) instruction.setDebugLoc(DebugLoc());
  }
  return PreservedAnalyses::all();
}

}  // namespace gridspan::host_plugin
