// The table of NVVM barrier and warp intrinsics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/sync_points.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

using namespace llvm;
using abi::SyncKind;

/// Which call operand is what; -1: none.
struct Signature {
  SyncKind kind;
  int mask = -1, value = -1, lane = -1, clamp = -1;
};

static constexpr Signature shuffle(SyncKind kind) { return {kind, 0, 1, 2, 3}; }
static constexpr Signature masked_value(SyncKind kind) { return {kind, 0, 1}; }

static std::optional<Signature> signature(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::nvvm_barrier0:
      return Signature{SyncKind::barrier};
    case Intrinsic::nvvm_barrier0_popc:
      return Signature{SyncKind::barrier_count, -1, 0};
    case Intrinsic::nvvm_barrier0_and:
      return Signature{SyncKind::barrier_and, -1, 0};
    case Intrinsic::nvvm_barrier0_or:
      return Signature{SyncKind::barrier_or, -1, 0};
    case Intrinsic::nvvm_bar_warp_sync:
      return Signature{SyncKind::warp_barrier, 0};
    case Intrinsic::nvvm_activemask:
      return Signature{SyncKind::active_mask};
    case Intrinsic::nvvm_shfl_sync_up_i32:
    case Intrinsic::nvvm_shfl_sync_up_f32:
    case Intrinsic::nvvm_shfl_sync_up_i32p:
    case Intrinsic::nvvm_shfl_sync_up_f32p:
      return shuffle(SyncKind::shuffle_up);
    case Intrinsic::nvvm_shfl_sync_down_i32:
    case Intrinsic::nvvm_shfl_sync_down_f32:
    case Intrinsic::nvvm_shfl_sync_down_i32p:
    case Intrinsic::nvvm_shfl_sync_down_f32p:
      return shuffle(SyncKind::shuffle_down);
    case Intrinsic::nvvm_shfl_sync_bfly_i32:
    case Intrinsic::nvvm_shfl_sync_bfly_f32:
    case Intrinsic::nvvm_shfl_sync_bfly_i32p:
    case Intrinsic::nvvm_shfl_sync_bfly_f32p:
      return shuffle(SyncKind::shuffle_xor);
    case Intrinsic::nvvm_shfl_sync_idx_i32:
    case Intrinsic::nvvm_shfl_sync_idx_f32:
    case Intrinsic::nvvm_shfl_sync_idx_i32p:
    case Intrinsic::nvvm_shfl_sync_idx_f32p:
      return shuffle(SyncKind::shuffle_index);
    case Intrinsic::nvvm_vote_all_sync:
      return masked_value(SyncKind::vote_all);
    case Intrinsic::nvvm_vote_any_sync:
      return masked_value(SyncKind::vote_any);
    case Intrinsic::nvvm_vote_uni_sync:
      return masked_value(SyncKind::vote_uniform);
    case Intrinsic::nvvm_vote_ballot_sync:
      return masked_value(SyncKind::vote_ballot);
    case Intrinsic::nvvm_match_any_sync_i32:
    case Intrinsic::nvvm_match_any_sync_i64:
      return masked_value(SyncKind::match_any);
    case Intrinsic::nvvm_match_all_sync_i32p:
    case Intrinsic::nvvm_match_all_sync_i64p:
      return masked_value(SyncKind::match_all);
    // redux.sync takes the value first.
    case Intrinsic::nvvm_redux_sync_add:
      return Signature{SyncKind::reduce_add, 1, 0};
    case Intrinsic::nvvm_redux_sync_min:
      return Signature{SyncKind::reduce_min_signed, 1, 0};
    case Intrinsic::nvvm_redux_sync_max:
      return Signature{SyncKind::reduce_max_signed, 1, 0};
    case Intrinsic::nvvm_redux_sync_umin:
      return Signature{SyncKind::reduce_min_unsigned, 1, 0};
    case Intrinsic::nvvm_redux_sync_umax:
      return Signature{SyncKind::reduce_max_unsigned, 1, 0};
    case Intrinsic::nvvm_redux_sync_and:
      return Signature{SyncKind::reduce_and, 1, 0};
    case Intrinsic::nvvm_redux_sync_or:
      return Signature{SyncKind::reduce_or, 1, 0};
    case Intrinsic::nvvm_redux_sync_xor:
      return Signature{SyncKind::reduce_xor, 1, 0};
    default:
      return std::nullopt;
  }
}

/// `bar.sync 0` for the whole block is __syncthreads under another name.
static bool is_plain_block_barrier(const IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::nvvm_bar_sync:
    case Intrinsic::nvvm_barrier_sync:
    case Intrinsic::nvvm_barrier_n: {
      auto* number = dyn_cast<ConstantInt>(call.getArgOperand(0));
      return number && number->isZero();
    }
    default:
      return false;
  }
}

/// Sync points that NVVM has no intrinsic for.
static std::optional<SyncPoint> as_named_point(CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->getName().starts_with("gridspan_")) return std::nullopt;
  const StringRef name = callee->getName();
  if (name == abi::grid_barrier_function) return SyncPoint{&call, SyncKind::grid_barrier};
  if (name == abi::wait_for_children_function) return SyncPoint{&call, SyncKind::children};
  if (name == abi::numbered_barrier_function)
    return SyncPoint{&call, SyncKind::numbered_barrier, nullptr, call.getArgOperand(0)};
  if (name == abi::numbered_arrival_function)
    return SyncPoint{&call, SyncKind::numbered_arrival, nullptr, call.getArgOperand(0)};
  if (name == abi::phase_wait_function)
    return SyncPoint{&call, SyncKind::phase_wait, nullptr, call.getArgOperand(0)};
  if (name == abi::waiting_round_function) return SyncPoint{&call, SyncKind::waiting_round};
  if (name == abi::vote_agreement_function)
    return SyncPoint{&call, SyncKind::vote_agreement, ConstantInt::getAllOnesValue(call.getType()),
                     call.getArgOperand(0)};
  if (name == abi::warp_step_function)
    return SyncPoint{&call, SyncKind::warp_step, nullptr, nullptr, call.getArgOperand(0)};
  if (name == abi::warp_call_function)
    return SyncPoint{&call, SyncKind::warp_call, call.getArgOperand(0), call.getArgOperand(1)};
  return std::nullopt;
}

std::optional<SyncPoint> as_sync_point(Instruction& instruction) {
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call) {
    auto* plain = dyn_cast<CallInst>(&instruction);
    return plain ? as_named_point(*plain) : std::nullopt;
  }
  if (is_plain_block_barrier(*call)) return SyncPoint{call, SyncKind::barrier};
  auto found = signature(call->getIntrinsicID());
  if (!found) return std::nullopt;
  auto operand = [&](int index) { return index < 0 ? nullptr : call->getArgOperand(index); };
  return SyncPoint{call,
                   found->kind,
                   operand(found->mask),
                   operand(found->value),
                   operand(found->lane),
                   operand(found->clamp)};
}

void numbered_barrier(IRBuilderBase& builder, Value* id, Value* count, bool arrives) {
  // As abi::NumberedBarrier::word.
  Value* word = builder.CreateOr(builder.CreateAnd(id, 15), builder.CreateShl(count, 8));
  Module& module = *builder.GetInsertBlock()->getModule();
  FunctionCallee callee = module.getOrInsertFunction(
      arrives ? abi::numbered_arrival_function : abi::numbered_barrier_function,
      FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false));
  auto* function = cast<Function>(callee.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  builder.CreateCall(callee, {word})->setConvergent();
}

Value* to_sync_bits(IRBuilderBase& builder, Value* value) {
  Type* i64 = builder.getInt64Ty();
  if (value->getType()->isPointerTy()) return builder.CreatePtrToInt(value, i64);
  if (value->getType()->isFloatTy()) value = builder.CreateBitCast(value, builder.getInt32Ty());
  return builder.CreateZExt(value, i64);
}

static Value* from_bits(IRBuilderBase& builder, Type* type, Value* bits) {
  if (type->isFloatTy())
    return builder.CreateBitCast(builder.CreateTrunc(bits, builder.getInt32Ty()), type);
  if (type->isIntegerTy(1)) return builder.CreateICmpNE(bits, builder.getInt64(0));
  return builder.CreateTrunc(bits, type);
}

Value* from_sync_result(IRBuilderBase& builder, const SyncPoint& point, Value* bits, Value* flag) {
  Type* type = point.call->getType();
  if (!type->isStructTy()) return from_bits(builder, type, bits);
  Value* pair = PoisonValue::get(type);
  pair =
      builder.CreateInsertValue(pair, from_bits(builder, type->getStructElementType(0), bits), 0);
  Value* predicate = builder.CreateICmpNE(flag, builder.getInt32(0));
  return builder.CreateInsertValue(pair, predicate, 1);
}

}  // namespace gridspan::transforms
