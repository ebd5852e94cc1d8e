// The mark is LLVM's prefix data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/indirect_calls.h"

#include "transforms/context.h"
#include "transforms/services.h"
#include "transforms/source_points.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// No sequence of instructions that a compiler writes.
constexpr std::uint64_t prefix_mark = 0x6f0f'736e'6170'5347;
/// Functions stay aligned as they were.
constexpr unsigned prefix_words = 2;

}  // namespace

void mark_call_target(Function& function) {
  const std::uint64_t words[prefix_words] = {0, prefix_mark};
  function.setPrefixData(ConstantDataArray::get(function.getContext(), words));
}

void check_call_target(CallBase& call) {
  Module& module = *call.getModule();
  IRBuilder<> builder(&call);
  Value* target = call.getCalledOperand();
  Value* place = builder.CreateConstGEP1_64(builder.getInt8Ty(), target, -std::int64_t{8});
  LoadInst* found = builder.CreateAlignedLoad(builder.getInt64Ty(), place, Align(1), "mark");
  // Code never changes; maybe another module's: interpret mode checks no such access.
  found->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(module.getContext(), {}));
  Value* is_bad = builder.CreateICmpNE(found, builder.getInt64(prefix_mark));
  Instruction* end =
      SplitBlockAndInsertIfThen(is_bad, call.getIterator(), /*Unreachable=*/true,
                                MDBuilder(module.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(end);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  call_service(builder, "gridspan_device_bad_call", builder.getVoidTy(),
               {builder.CreateCall(marker(module, Marker::thread)), target,
                source_point_address(module, source_line(call))})
      ->setDoesNotReturn();
}

}  // namespace gridspan::transforms
