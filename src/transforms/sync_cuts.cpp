// Operands, results and block splitting at sync points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/sync_cuts.h"

#include "abi/launch.h"
#include "transforms/context.h"
#include "transforms/sync_points.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

namespace gridspan::transforms {

using namespace llvm;
using abi::BlockContext;

Value* thread_entry_of(IRBuilder<>& builder, std::uint64_t array_field, Type* element) {
  Module& module = *builder.GetInsertBlock()->getModule();
  Value* block = builder.CreateCall(marker(module, Marker::block));
  Value* array = load_field(builder, builder.getPtrTy(), block, array_field, "sync");
  Value* linear = builder.CreateCall(marker(module, Marker::linear_thread));
  return builder.CreateInBoundsGEP(element, array,
                                   builder.CreateZExt(linear, builder.getInt64Ty()));
}

static void store_operands(IRBuilder<>& builder, const SyncPoint& point) {
  auto store = [&](Value* value, std::uint64_t field) {
    if (value) builder.CreateStore(value, thread_entry_of(builder, field, value->getType()));
  };
  if (point.kind == abi::SyncKind::warp_step) return;  // regions are in the order of steps
  store(point.mask, offsetof(BlockContext, sync_mask));
  store(point.lane, offsetof(BlockContext, sync_lane));
  store(point.clamp, offsetof(BlockContext, sync_clamp));
  if (point.value) store(to_sync_bits(builder, point.value), offsetof(BlockContext, sync_value));
}

static Value* load_result(IRBuilder<>& builder, const SyncPoint& point) {
  auto load = [&](Type* type, std::uint64_t field) {
    return builder.CreateLoad(type, thread_entry_of(builder, field, type));
  };
  Value* bits = load(builder.getInt64Ty(), offsetof(BlockContext, sync_value));
  Value* flag =
      has_flag(point) ? load(builder.getInt32Ty(), offsetof(BlockContext, sync_flag)) : nullptr;
  return from_sync_result(builder, point, bits, flag);
}

std::vector<Cut> split_at_sync_points(Function& kernel) {
  SmallVector<CallInst*> calls;
  for (Instruction& instruction : instructions(kernel))
    if (as_sync_point(instruction)) calls.push_back(cast<CallInst>(&instruction));
  std::vector<Cut> cuts;
  for (CallInst* call : calls) {
    const SyncPoint point = *as_sync_point(*call);
    Cut cut{call->getParent(), nullptr, point.kind, source_line(*call)};
    if (point.kind == abi::SyncKind::warp_step)
      cut.step = static_cast<std::uint32_t>(cast<ConstantInt>(point.lane)->getZExtValue());
    cut.continuation = SplitBlock(call->getParent(), call->getNextNode());
    cuts.push_back(cut);
  }
  return cuts;
}

CallInst& sync_call(const Cut& cut) {
  return *cast<CallInst>(cut.before->getTerminator()->getPrevNode());
}

void lower_sync_points(ArrayRef<Cut> cuts) {
  for (const Cut& cut : cuts) {
    CallInst& call = sync_call(cut);
    SyncPoint point = *as_sync_point(call);  // read now: an operand may be an earlier one's result
    IRBuilder<> before(&call);
    store_operands(before, point);
    if (has_result(point) && !call.use_empty()) {
      IRBuilder<> after(cut.continuation, cut.continuation->begin());
      call.replaceAllUsesWith(load_result(after, point));
    }
    call.eraseFromParent();
  }
}

}  // namespace gridspan::transforms
