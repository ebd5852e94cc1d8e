// Calls of warp functions become sync points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_calls.h"

#include "abi/sync.h"
#include "transforms/services.h"

namespace gridspan::transforms {

using namespace llvm;

static constexpr char called[] = "__gridspan_warp_";
static constexpr char defined[] = "__gridspan_lanes_";

bool is_lanes_function(const Function& function) { return function.getName().starts_with(defined); }

void call_warp_function(IRBuilder<>& builder, StringRef name, Value* mask, Value* data) {
  CallInst* call = call_service(builder, (called + name).str(), builder.getVoidTy(), {mask, data});
  call->setConvergent();
}

static void lower(CallInst& call, StringRef name) {
  IRBuilder<> builder(&call);
  Module& module = *call.getModule();
  auto* type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  Value* function = module.getOrInsertFunction((defined + name).str(), type).getCallee();
  Value* data = call.getArgOperand(1);
  static_assert(offsetof(abi::WarpCall, function) == 0);
  builder.CreateStore(function, data);
  CallInst* point = call_service(builder, abi::warp_call_function, builder.getVoidTy(),
                                 {call.getArgOperand(0), data});
  point->setConvergent();
  call.eraseFromParent();
}

void lower_warp_calls(Module& module) {
  for (Function& function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front(called)) continue;
    for (User* user : make_early_inc_range(function.users()))
      if (auto* call = dyn_cast<CallInst>(user)) lower(*call, name);
    if (function.use_empty()) function.eraseFromParent();
  }
}

}  // namespace gridspan::transforms
