// Declares run-time functions at their first call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/services.h"

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

using namespace llvm;

CallInst* call_service(IRBuilder<>& builder, StringRef name, Type* result,
                       ArrayRef<Value*> arguments) {
  SmallVector<Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  Module& module = *builder.GetInsertBlock()->getModule();
  FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(result, types, false));
  cast<Function>(callee.getCallee())->setDoesNotThrow();
  return builder.CreateCall(callee, arguments);
}

}  // namespace gridspan::transforms
