// Markers, and the values that take their place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/context.h"

#include "abi/launch.h"
#include "transforms/gather_addresses.h"
#include "transforms/known_shape.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstddef>

namespace gridspan::transforms {

using namespace llvm;
using abi::BlockContext;
using abi::LaunchContext;
using abi::ThreadContext;

static StringRef marker_name(Marker which) {
  switch (which) {
    case Marker::shared:
      return "gridspan.shared";
    case Marker::dynamic_shared:
      return "gridspan.dynamic_shared";
    case Marker::symbol:
      return "gridspan.symbol";
    case Marker::block:
      return "gridspan.block";
    case Marker::thread:
      return "gridspan.thread";
    case Marker::linear_thread:
      return "gridspan.linear_thread";
  }
  llvm_unreachable("marker");
}

FunctionCallee marker(Module& module, Marker which) {
  LLVMContext& context = module.getContext();
  Type* pointer = PointerType::get(context, 0);
  Type* i32 = Type::getInt32Ty(context);
  FunctionType* type = FunctionType::get(pointer, false);
  if (which == Marker::shared)
    type =
        FunctionType::get(pointer, {Type::getInt64Ty(context), Type::getInt64Ty(context)}, false);
  if (which == Marker::dynamic_shared)
    type = FunctionType::get(pointer, {Type::getInt64Ty(context)}, false);
  if (which == Marker::symbol) type = FunctionType::get(pointer, {i32}, false);
  if (which == Marker::linear_thread) type = FunctionType::get(i32, false);
  FunctionCallee callee = module.getOrInsertFunction(marker_name(which), type);
  auto* function = cast<Function>(callee.getCallee());
  function->setMemoryEffects(MemoryEffects::none());
  for (auto attribute : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::Speculatable,
                         Attribute::NoFree, Attribute::NoSync, Attribute::NoCallback})
    function->addFnAttr(attribute);
  // Two calls with different numbers do not become one that is given a choice of them.
  if (type->getNumParams() != 0) function->addFnAttr(Attribute::NoMerge);
  if (type->getReturnType()->isPointerTy()) function->addRetAttr(Attribute::NonNull);
  return callee;
}

bool is_marker(const Value* value, Marker which) {
  auto* call = dyn_cast_or_null<CallInst>(value);
  if (!call || !call->getCalledFunction()) return false;
  return call->getCalledFunction()->getName() == marker_name(which);
}

static SpecialRegister special_register(Intrinsic::ID id) {
  using S = SpecialRegister;
  switch (id) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return {S::thread_index, 0};
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      return {S::thread_index, 1};
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return {S::thread_index, 2};
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      return {S::block_index, 0};
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
      return {S::block_index, 1};
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      return {S::block_index, 2};
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return {S::block_size, 0};
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return {S::block_size, 1};
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return {S::block_size, 2};
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      return {S::grid_size, 0};
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
      return {S::grid_size, 1};
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
      return {S::grid_size, 2};
    default:
      return {};
  }
}

SpecialRegister special_register(const Value* value) {
  auto* call = dyn_cast<IntrinsicInst>(value);
  return call ? special_register(call->getIntrinsicID()) : SpecialRegister();
}

static bool is_any_marker(const Value* value) {
  auto* call = dyn_cast<CallInst>(value);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with("gridspan.");
}

bool is_repeatable_context_call(const Instruction& instruction) {
  if (is_any_marker(&instruction)) return true;
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && special_register(call->getIntrinsicID()).group != SpecialRegister::none;
}

Value* field_address(IRBuilder<>& builder, Value* base, std::uint64_t offset) {
  return offset == 0 ? base : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
}

Value* load_field(IRBuilder<>& builder, Type* type, Value* base, std::uint64_t offset,
                  const Twine& name) {
  LoadInst* load = builder.CreateLoad(type, field_address(builder, base, offset), name);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

static std::array<Value*, 3> load_dim(IRBuilder<>& builder, Value* base, std::uint64_t offset,
                                      const Twine& name) {
  std::array<Value*, 3> dim;
  for (unsigned axis = 0; axis < 3; ++axis)
    dim[axis] = load_field(builder, builder.getInt32Ty(), base, offset + 4 * axis,
                           name + "." + Twine("xyz"[axis]));
  return dim;
}

ContextValues load_block_values(IRBuilder<>& builder, Value* block) {
  Type* pointer = builder.getPtrTy();
  ContextValues values;
  values.block = block;
  values.launch = load_field(builder, pointer, block, offsetof(BlockContext, launch), "launch");
  values.block_index = load_dim(builder, block, offsetof(BlockContext, block_index), "blockIdx");
  values.block_size = load_dim(builder, values.launch, offsetof(LaunchContext, block), "blockDim");
  const BlockShape shape = known_shape(*builder.GetInsertBlock()->getParent());
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] != 0) values.block_size[axis] = builder.getInt32(shape[axis]);
  values.grid_size = load_dim(builder, values.launch, offsetof(LaunchContext, grid), "gridDim");
  values.shared = load_field(builder, pointer, block, offsetof(BlockContext, shared), "shared");
  mark_shared_memory(*cast<LoadInst>(values.shared));
  Value* dynamic_offset =
      load_field(builder, builder.getInt32Ty(), block,
                 offsetof(BlockContext, dynamic_shared_offset), "dynamic_shared_offset");
  values.dynamic_shared = builder.CreateInBoundsGEP(
      builder.getInt8Ty(), values.shared, builder.CreateZExt(dynamic_offset, builder.getInt64Ty()));
  values.symbols =
      load_field(builder, pointer, values.launch, offsetof(LaunchContext, symbols), "symbols");
  values.arguments =
      load_field(builder, pointer, values.launch, offsetof(LaunchContext, arguments), "arguments");
  return values;
}

ContextValues load_thread_values(IRBuilder<>& builder, Value* thread) {
  Value* block =
      load_field(builder, builder.getPtrTy(), thread, offsetof(ThreadContext, block), "block");
  ContextValues values = load_block_values(builder, block);
  values.thread = thread;
  values.thread_index =
      load_dim(builder, thread, offsetof(ThreadContext, thread_index), "threadIdx");
  values.linear =
      load_field(builder, builder.getInt32Ty(), thread, offsetof(ThreadContext, thread), "thread");
  return values;
}

Value* load_argument(IRBuilder<>& builder, Value* arguments, const Argument& parameter) {
  Value* address = load_field(builder, builder.getPtrTy(), arguments, 8 * parameter.getArgNo(),
                              parameter.getName() + ".address");
  if (parameter.hasByValAttr()) return address;
  return load_field(builder, parameter.getType(), address, 0, parameter.getName());
}

static Value* context_value(CallInst& call, const ContextValues& values) {
  IRBuilder<> builder(&call);
  if (is_marker(&call, Marker::shared))
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), values.shared, call.getArgOperand(0));
  if (is_marker(&call, Marker::dynamic_shared)) return values.dynamic_shared;
  if (is_marker(&call, Marker::block)) return values.block;
  if (is_marker(&call, Marker::linear_thread)) return values.linear;
  if (is_marker(&call, Marker::thread)) {
    assert(values.thread && "region without ThreadContext needs one");
    return values.thread;
  }
  if (is_marker(&call, Marker::symbol)) {
    auto index = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
    return load_field(builder, builder.getPtrTy(), values.symbols, 8 * index, "symbol");
  }
  auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic) return nullptr;
  SpecialRegister reg = special_register(intrinsic->getIntrinsicID());
  switch (reg.group) {
    case SpecialRegister::thread_index:
      return values.thread_index[reg.axis];
    case SpecialRegister::block_index:
      return values.block_index[reg.axis];
    case SpecialRegister::block_size:
      return values.block_size[reg.axis];
    case SpecialRegister::grid_size:
      return values.grid_size[reg.axis];
    case SpecialRegister::none:
      return nullptr;
  }
  return nullptr;
}

void lower_context(Function& function, const ContextValues& values) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call) continue;
    if (Value* value = context_value(*call, values)) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
}

}  // namespace gridspan::transforms
