// Calls of the run time in the place of sync points, and yields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/thread_entry.h"

#include "abi/services.h"
#include "transforms/access_checks.h"
#include "transforms/context.h"
#include "transforms/kernels.h"
#include "transforms/services.h"
#include "transforms/shared_atomics.h"
#include "transforms/source_points.h"
#include "transforms/sync_points.h"
#include "transforms/thread_functions.h"
#include "transforms/warp_calls.h"
#include "transforms/warp_steps/step_order.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::transforms {

using namespace llvm;

static Value* thread_of(IRBuilder<>& builder) {
  return builder.CreateCall(marker(*builder.GetInsertBlock()->getModule(), Marker::thread));
}

static void lower_block_barrier(const SyncPoint& point, Constant* where) {
  IRBuilder<> builder(point.call);
  Type* i32 = builder.getInt32Ty();
  Value* predicate = point.value ? point.value : builder.getInt32(0);
  Value* result = call_service(
      builder, "gridspan_fiber_barrier", i32,
      {thread_of(builder), builder.getInt32(std::uint32_t(point.kind)), predicate, where});
  if (has_result(point)) point.call->replaceAllUsesWith(result);
  point.call->eraseFromParent();
}

/// A fiber asks again and again; the others run in between.
static void lower_phase_wait(const SyncPoint& point) {
  IRBuilder<> builder(point.call);
  call_service(builder, "gridspan_fiber_phase_wait", builder.getVoidTy(),
               {thread_of(builder), point.value});
  point.call->eraseFromParent();
}

static void lower_warp_operation(const SyncPoint& point, Constant* where, AllocaInst* flag) {
  IRBuilder<> builder(point.call);
  auto or_zero = [&](Value* value) { return value ? value : builder.getInt32(0); };
  Value* value = point.value ? to_sync_bits(builder, point.value) : builder.getInt64(0);
  Value* null = ConstantPointerNull::get(builder.getPtrTy());
  Value* bits = call_service(
      builder, "gridspan_fiber_warp", builder.getInt64Ty(),
      {thread_of(builder), builder.getInt32(std::uint32_t(point.kind)), or_zero(point.mask), value,
       or_zero(point.lane), or_zero(point.clamp), has_flag(point) ? flag : null, where});
  if (has_result(point)) {
    Value* predicate = has_flag(point) ? builder.CreateLoad(builder.getInt32Ty(), flag) : nullptr;
    point.call->replaceAllUsesWith(from_sync_result(builder, point, bits, predicate));
  }
  point.call->eraseFromParent();
}

static void lower_sync_points(Function& function) {
  SmallVector<Instruction*> calls;
  for (Instruction& instruction : instructions(function))
    if (as_sync_point(instruction)) calls.push_back(&instruction);
  if (calls.empty()) return;
  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst* flag = entry.CreateAlloca(entry.getInt32Ty(), nullptr, "sync.flag");
  for (Instruction* call : calls) {
    SyncPoint point = *as_sync_point(*call);  // read now: an operand may be an earlier one's result
    Constant* where = source_point_address(*function.getParent(), source_line(*point.call));
    if (point.kind == abi::SyncKind::phase_wait)
      lower_phase_wait(point);
    else if (point.kind == abi::SyncKind::waiting_round)
      point.call->eraseFromParent();  // fibers yield where they look
    else if (abi::is_block_wide(point.kind))
      lower_block_barrier(point, where);
    else
      lower_warp_operation(point, where, flag);
  }
}

static void insert_yields(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!lets_others_run(instruction)) continue;
    if (const Value* pointer = getLoadStorePointerOperand(&instruction);
        pointer && isa<AllocaInst>(getUnderlyingObject(pointer)))
      continue;
    IRBuilder<> builder(&instruction);
    call_service(builder, "gridspan_fiber_yield", builder.getVoidTy(), {thread_of(builder)});
  }
}

static void lower_for_fibers(Function& function) {
  insert_yields(function);
  lower_sync_points(function);
  mark_shared_atomics(function);
  make_shared_atomics_plain(function);  // after the yields, which mark where atomics were
}

static void call_checked_functions(Function& function);

/// Does it, or what it calls, touch memory that is not seen to be its own?
static bool touches_memory(Function& function) {
  for (Function* reached : reachable_functions(function))
    for (Instruction& instruction : instructions(*reached)) {
      if (!instruction.mayReadOrWriteMemory() || isa<CallBase>(instruction)) continue;
      const Value* pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer || !isa<AllocaInst, GlobalVariable>(getUnderlyingObject(pointer))) return true;
    }
  return false;
}

/// A copy of a function that does not know its thread. It does, and announces its accesses; only
/// checked code calls it, so that others pay nothing.
static Function* checked_twin(Function& function) {
  Module& module = *function.getParent();
  const std::string name = (function.getName() + ".checked").str();
  if (Function* known = module.getFunction(name)) return known;
  SmallVector<Type*> types{PointerType::get(module.getContext(), 0)};
  append_range(types, function.getFunctionType()->params());
  auto* type = FunctionType::get(function.getReturnType(), types, false);
  Function* twin = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  ValueToValueMapTy map;
  for (Argument& argument : function.args()) map[&argument] = twin->getArg(argument.getArgNo() + 1);
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(twin, &function, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  twin->setAttributes({});
  twin->setCallingConv(function.getCallingConv());
  copy_code_attributes(function, *twin);
  for (Argument& argument : function.args())
    for (const Attribute attribute : function.getAttributes().getParamAttrs(argument.getArgNo()))
      if (attribute.isTypeAttribute())
        twin->addParamAttr(argument.getArgNo() + 1, attribute);  // how it is passed
  twin->addFnAttr(Attribute::NoInline);
  twin->addFnAttr(Attribute::OptimizeNone);
  call_checked_functions(*twin);
  announce_accesses(*twin, KernelPointers());
  for (Instruction& instruction : make_early_inc_range(instructions(*twin))) {
    if (!is_marker(&instruction, Marker::thread)) continue;
    instruction.replaceAllUsesWith(twin->getArg(0));
    instruction.eraseFromParent();
  }
  forget_tail_calls(*twin);
  return twin;
}

static bool has_checked_twin(const CallBase& call) {
  Function* callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration() || !isa<CallInst>(call)) return false;
  const bool gets_thread = call.arg_size() != 0 && is_marker(call.getArgOperand(0), Marker::thread);
  if (gets_thread || callee->isVarArg() || is_lanes_function(*callee)) return false;
  return touches_memory(*callee);
}

static void call_checked_functions(Function& function) {
  SmallVector<CallInst*> calls;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallInst>(&instruction); call && has_checked_twin(*call))
      calls.push_back(call);
  for (CallInst* call : calls) {
    IRBuilder<> builder(call);
    SmallVector<Value*> arguments{thread_of(builder)};
    append_range(arguments, call->args());
    CallInst* other = builder.CreateCall(checked_twin(*call->getCalledFunction()), arguments);
    for (unsigned i = 0; i < call->arg_size(); ++i)
      for (const Attribute attribute : call->getAttributes().getParamAttrs(i))
        if (attribute.isTypeAttribute()) other->addParamAttr(i + 1, attribute);
    other->setCallingConv(call->getCallingConv());
    other->setDebugLoc(call->getDebugLoc());
    call->replaceAllUsesWith(other);
    call->eraseFromParent();
  }
}

Function* make_thread_entry(Function& kernel, bool is_checked) {
  LLVMContext& context = kernel.getContext();
  auto* type = FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0)}, false);
  Function* entry = Function::Create(type, GlobalValue::InternalLinkage,
                                     kernel.getName() + (is_checked ? ".checked" : ".thread"),
                                     kernel.getParent());
  BasicBlock* start = BasicBlock::Create(context, "entry", entry);
  IRBuilder<> builder(start);
  ContextValues values = load_thread_values(builder, entry->getArg(0));
  ValueToValueMapTy map;
  KernelPointers pointers;
  const DataLayout& layout = kernel.getParent()->getDataLayout();
  for (Argument& parameter : kernel.args()) {
    Value* value = load_argument(builder, values.arguments, parameter);
    map[&parameter] = value;
    pointers.arguments.insert(value);
    if (parameter.hasByValAttr())
      pointers.structs[value] = layout.getTypeAllocSize(parameter.getParamByValType());
  }
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(entry, &kernel, map, CloneFunctionChangeType::GlobalChanges, returns);
  entry->setAttributes({});
  copy_code_attributes(kernel, *entry);
  entry->setLinkage(GlobalValue::InternalLinkage);
  auto* body = cast<BasicBlock>(map[&kernel.getEntryBlock()]);
  builder.CreateBr(body);
  MergeBlockIntoPredecessor(body);
  if (is_checked) {
    call_checked_functions(*entry);
    announce_accesses(*entry, pointers);
  }
  lower_for_fibers(*entry);
  lower_context(*entry, values);
  forget_tail_calls(*entry);
  return entry;
}

void choose_checked(Function& plain, Function& checked) {
  BasicBlock* body = &plain.getEntryBlock();
  BasicBlock* start = BasicBlock::Create(plain.getContext(), "start", &plain, body);
  BasicBlock* other = BasicBlock::Create(plain.getContext(), "checked", &plain);
  IRBuilder<> builder(start);
  if (DISubprogram* here = plain.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(plain.getContext(), here->getLine(), 0, here));
  Value* is_checked =
      call_service(builder, "gridspan_is_checked", builder.getInt32Ty(), {plain.getArg(0)});
  builder.CreateCondBr(builder.CreateIsNotNull(is_checked), other, body);
  builder.SetInsertPoint(other);
  builder.CreateCall(&checked, {plain.getArg(0)});
  builder.CreateRetVoid();
  // Stack variables are made once only in the block that a function begins with.
  for (Instruction& instruction : make_early_inc_range(*body))
    if (auto* memory = dyn_cast<AllocaInst>(&instruction);
        memory && isa<Constant>(memory->getArraySize()))
      instruction.moveBefore(start->getTerminator());
}

void lower_thread_function(Function& function) {
  number_steps(function);
  announce_accesses(function, KernelPointers());
  lower_for_fibers(function);
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  ContextValues values = load_thread_values(builder, function.getArg(0));
  lower_context(function, values);
}

}  // namespace gridspan::transforms
