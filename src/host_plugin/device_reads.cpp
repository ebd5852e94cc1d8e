// Looks for uses of the undefined variables and reports the first in each function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/device_reads.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

constexpr StringRef names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};

/// What uses `value`, be it by a constant expression.
void collect_users(const Value& value, SmallVectorImpl<const Instruction*>& users) {
  for (const User* user : value.users())
    if (const auto* instruction = dyn_cast<Instruction>(user))
      users.push_back(instruction);
    else if (isa<ConstantExpr>(user))
      collect_users(*user, users);
}

void refuse(const GlobalVariable& variable) {
  SmallVector<const Instruction*> users;
  collect_users(variable, users);
  SmallPtrSet<const Function*, 4> told;
  for (const Instruction* user : users) {
    const Function& function = *user->getFunction();
    const bool is_gone = function.isDiscardableIfUnused() && function.use_empty();
    if (is_gone || !told.insert(&function).second) continue;
    function.getContext().diagnose(DiagnosticInfoUnsupported(
        function, "host code reads '" + variable.getName() + "', which only device code has",
        user->getDebugLoc()));
  }
}

}  // namespace

PreservedAnalyses RefuseDeviceReads::run(Module& module, ModuleAnalysisManager&) {
  for (const StringRef name : names) {
    const GlobalVariable* variable = module.getGlobalVariable(name);
    if (variable && variable->isDeclaration()) refuse(*variable);
  }
  return PreservedAnalyses::all();
}

}  // namespace gridspan::host_plugin
