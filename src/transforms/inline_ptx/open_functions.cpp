// Inlines functions that leave a carry behind, begin by reading one or end the thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/open_functions.h"

#include "transforms/inline_ptx/asm_call.h"
#include "transforms/inline_ptx/syntax.h"
#include "transforms/kernels.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

static bool has_word(StringRef opcode, StringRef word) {
  SmallVector<StringRef> words;
  opcode.split(words, '.');
  return is_contained(words, word);
}

/// In the order of the code, which is how such functions are written: a carry read before one is
/// made, or made and not read.
static bool is_open(Function& function) {
  bool is_made = false, is_unread = false;
  for (llvm::Instruction& instruction : instructions(function)) {
    CallInst* call = as_asm_call(instruction);
    if (!call) continue;
    std::string problem;
    const auto statements = parse(read_asm_call(*call).text, problem);
    if (!statements) continue;
    for (const Statement& statement : *statements) {
      const StringRef opcode = statement.instruction.opcode;
      const StringRef name = opcode.split('.').first;
      if (name == "exit") return true;
      if (name == "addc" || name == "subc" || name == "madc") {
        if (!is_made) return true;
        is_unread = false;
      }
      if (has_word(opcode, "cc")) is_made = is_unread = true;
    }
  }
  return is_unread;
}

/// The calls of `function`; a function that calls itself stays.
static SmallVector<CallInst*> calls_of(Function& function) {
  SmallVector<CallInst*> calls;
  for (User* user : function.users())
    if (auto* call = dyn_cast<CallInst>(user);
        call && call->getCalledFunction() == &function && call->getFunction() != &function)
      calls.push_back(call);
  return calls;
}

void inline_open_functions(Module& module) {
  SetVector<Function*> open;
  for (Function& function : module)
    if (!function.isDeclaration() && is_open(function)) open.insert(&function);
  SmallPtrSet<Function*, 16> done;  // each once: functions that call each other come to an end
  for (const KernelDeclaration& kernel : find_kernels(module)) done.insert(kernel.function);
  while (!open.empty()) {
    Function* function = open.pop_back_val();
    if (!done.insert(function).second) continue;
    for (CallInst* call : calls_of(*function)) {
      Function* caller = call->getFunction();
      InlineFunctionInfo info;
      if (InlineFunction(*call, info).isSuccess() && is_open(*caller)) open.insert(caller);
    }
    function->removeDeadConstantUsers();
    if (function->use_empty() && function->isDiscardableIfUnused()) function->eraseFromParent();
  }
}

}  // namespace gridspan::transforms::ptx
