// Calls of kernels and of the launch protocol become calls of services.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/device_launches.h"

#include "abi/sync.h"
#include "transforms/kernels.h"
#include "transforms/services.h"
#include "transforms/source_points.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

using namespace llvm;

bool is_device_runtime(StringRef name) {
  return name.starts_with("cuda") || name == "__cudaPushCallConfiguration";
}

/// Memory of the calling thread.
static AllocaInst* make_local(Function& function, Type* type) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  return builder.CreateAlloca(type);
}

/// Where a launch finds the value of one parameter: values of classes are passed in memory already.
static Value* address_of(IRBuilder<>& builder, CallInst& call, unsigned number) {
  Value* value = call.getArgOperand(number);
  if (call.isByValArgument(number)) return value;
  AllocaInst* copy = make_local(*call.getFunction(), value->getType());
  builder.CreateStore(value, copy);
  return copy;
}

static void replace_launch(CallInst& call, Function& kernel) {
  IRBuilder<> builder(&call);
  auto* type = ArrayType::get(builder.getPtrTy(), std::max(1u, call.arg_size()));
  AllocaInst* arguments = make_local(*call.getFunction(), type);
  for (unsigned i = 0; i < call.arg_size(); ++i)
    builder.CreateStore(address_of(builder, call, i),
                        builder.CreateConstInBoundsGEP2_32(type, arguments, 0, i));
  call_service(builder, "gridspan_device_launch", builder.getVoidTy(),
               {builder.CreateGlobalString(kernel.getName(), "launched"), arguments});
  call.eraseFromParent();
}

/// Is the address in the initial value of a variable of the program's? clang keeps lists of its
/// own.
static bool is_in_a_variable(const Value& value) {
  return any_of(value.users(), [](const User* user) {
    if (auto* variable = dyn_cast<GlobalVariable>(user))
      return !variable->getName().starts_with("llvm.") &&
             !variable->getName().starts_with("__clang_gpu_used_external");
    return isa<Constant>(user) && is_in_a_variable(*user);
  });
}

/// A launch through a pointer would call the kernel as a function.
static void check_address(const Function& kernel, bool launches, UserErrors& errors) {
  const std::string text = "the address of kernel '" + demangle(kernel.getName().str()) +
                           "' is used in device code; only launches by its name are supported";
  for (const User* user : kernel.users())
    if (auto* instruction = dyn_cast<Instruction>(user))
      return errors.push_back({source_line(*instruction), text});
  if (launches && is_in_a_variable(kernel)) errors.push_back({source_line(kernel), text});
}

template <class Replace>
static void for_each_call(Module& module, StringRef name, Replace replace) {
  Function* function = module.getFunction(name);
  if (!function || !function->isDeclaration()) return;
  for (User* user : make_early_inc_range(function->users()))
    if (auto* call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == function)
      replace(*call);
}

static void replace_configuration(CallInst& call) {
  IRBuilder<> builder(&call);
  Value* stream = builder.CreatePtrToInt(call.getArgOperand(3), builder.getInt64Ty());
  call.replaceAllUsesWith(
      call_service(builder, "gridspan_device_configure", builder.getInt32Ty(),
                   {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), stream}));
  call.eraseFromParent();
}

static void replace_wait(CallInst& call) {
  IRBuilder<> builder(&call);
  call_service(builder, abi::wait_for_children_function, builder.getVoidTy(), {})->setConvergent();
  call.replaceAllUsesWith(ConstantInt::get(call.getType(), 0));
  call.eraseFromParent();
}

void lower_device_launches(Module& module, UserErrors& errors) {
  for (StringRef name : {"__cudaPushCallConfiguration", "cudaConfigureCall"})
    for_each_call(module, name, replace_configuration);
  const bool launches = module.getFunction("gridspan_device_configure") != nullptr;
  for_each_call(module, "cudaDeviceSynchronize", replace_wait);
  for (const KernelDeclaration& kernel : find_kernels(module)) {
    for (User* user : make_early_inc_range(kernel.function->users()))
      if (auto* call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == kernel.function)
        replace_launch(*call, *kernel.function);
    check_address(*kernel.function, launches, errors);
  }
}

}  // namespace gridspan::transforms
