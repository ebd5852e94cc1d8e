// One replacement per NVVM intrinsic or device library call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/intrinsics.h"

#include "abi/launch.h"
#include "transforms/address_spaces.h"
#include "transforms/context.h"
#include "transforms/device_launches.h"
#include "transforms/services.h"
#include "transforms/sync_points.h"
#include "transforms/warp_calls.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms {

using namespace llvm;

static Value* linear_thread(IRBuilder<>& builder, Module& module) {
  return builder.CreateCall(marker(module, Marker::linear_thread));
}

static Value* lane(IRBuilder<>& builder, Module& module) {
  return builder.CreateAnd(linear_thread(builder, module), abi::warp_size - 1);
}

static Value* lane_mask(IRBuilder<>& builder, Module& module, Intrinsic::ID id) {
  Value* own = builder.CreateShl(builder.getInt32(1), lane(builder, module));
  Value* below = builder.CreateSub(own, builder.getInt32(1));
  switch (id) {
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
      return own;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
      return below;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
      return builder.CreateOr(below, own);
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
      return builder.CreateNot(below);
    default:
      return builder.CreateNot(builder.CreateOr(below, own));
  }
}

static Value* clock(IRBuilder<>& builder, Type* type) {
  Value* cycles = builder.CreateIntrinsic(Intrinsic::readcyclecounter, {}, {});
  return builder.CreateTrunc(cycles, type);
}

/// Fences inside a block order one OS thread with itself: only the compiler must keep still.
static void fence(IRBuilder<>& builder, bool whole_device) {
  builder.CreateFence(AtomicOrdering::SequentiallyConsistent,
                      whole_device ? SyncScope::System : SyncScope::SingleThread);
}

static Value* current_thread(IRBuilder<>& builder, Module& module) {
  return builder.CreateCall(marker(module, Marker::thread));
}

static void trap(IRBuilder<>& builder, Module& module) {
  CallInst* call = call_service(builder, "gridspan_device_trap", builder.getVoidTy(),
                                {current_thread(builder, module)});
  call->setDoesNotReturn();
}

static Value* atomic_wrap(IRBuilder<>& builder, IntrinsicInst& call, AtomicRMWInst::BinOp op) {
  return builder.CreateAtomicRMW(op, call.getArgOperand(0), call.getArgOperand(1), MaybeAlign(4),
                                 AtomicOrdering::Monotonic);
}

static Value* read_only_load(IRBuilder<>& builder, IntrinsicInst& call) {
  auto* align = cast<ConstantInt>(call.getArgOperand(1));
  return builder.CreateAlignedLoad(call.getType(), call.getArgOperand(0),
                                   MaybeAlign(align->getZExtValue()));
}

/// llvm.nvvm.mulhi.i → call of __gridspan_nvvm_mulhi_i.
static Value* library_call(IRBuilder<>& builder, IntrinsicInst& call) {
  std::string name = call.getCalledFunction()->getName().str();
  name = "__gridspan_nvvm_" + name.substr(StringRef("llvm.nvvm.").size());
  std::replace(name.begin(), name.end(), '.', '_');
  SmallVector<Value*> arguments(call.args());
  return call_service(builder, name, call.getType(), arguments);
}

/// True when `call` was dealt with; `result` then replaces it (null: it has no result).
static bool lower_intrinsic(IntrinsicInst& call, Module& module, Value*& result) {
  IRBuilder<> builder(&call);
  Intrinsic::ID id = call.getIntrinsicID();
  switch (id) {
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      result = lane(builder, module);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_warpid:
      result = builder.CreateLShr(linear_thread(builder, module), 5);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_warpsize:
      result = builder.getInt32(abi::warp_size);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
      result = lane_mask(builder, module, id);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_clock:
    case Intrinsic::nvvm_read_ptx_sreg_clock64:
      result = clock(builder, call.getType());
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_globaltimer:
      result = call_service(builder, "gridspan_device_globaltimer", call.getType(), {});
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_smid:
      result = builder.getInt32(0);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_nsmid:
      result = builder.getInt32(1);
      return true;
    case Intrinsic::nvvm_membar_cta:
      fence(builder, false);
      return true;
    case Intrinsic::nvvm_membar_gl:
    case Intrinsic::nvvm_membar_sys:
      fence(builder, true);
      return true;
    case Intrinsic::nvvm_ldg_global_f:
    case Intrinsic::nvvm_ldg_global_i:
    case Intrinsic::nvvm_ldg_global_p:
    case Intrinsic::nvvm_ldu_global_f:
    case Intrinsic::nvvm_ldu_global_i:
    case Intrinsic::nvvm_ldu_global_p:
      result = read_only_load(builder, call);
      return true;
    case Intrinsic::nvvm_texsurf_handle_internal:  // a texture reference is its handle's place
      result = builder.CreateLoad(call.getType(), call.getArgOperand(0));
      return true;
    case Intrinsic::nvvm_atomic_load_inc_32:
      result = atomic_wrap(builder, call, AtomicRMWInst::UIncWrap);
      return true;
    case Intrinsic::nvvm_atomic_load_dec_32:
      result = atomic_wrap(builder, call, AtomicRMWInst::UDecWrap);
      return true;
    case Intrinsic::nvvm_nanosleep:
      call_service(builder, "gridspan_fiber_yield", builder.getVoidTy(),
                   {current_thread(builder, module)});
      return true;
    case Intrinsic::debugtrap:
    case Intrinsic::trap:
      trap(builder, module);
      return true;
    case Intrinsic::nvvm_isspacep_shared:
      result = is_in_shared(builder, call.getArgOperand(0));
      return true;
    case Intrinsic::nvvm_isspacep_global:
      result = is_in_global(builder, call.getArgOperand(0));
      return true;
    case Intrinsic::nvvm_bar_sync:
    case Intrinsic::nvvm_barrier_n:
    case Intrinsic::nvvm_barrier_sync:
      if (as_sync_point(call)) return false;  // barrier 0
      numbered_barrier(builder, call.getArgOperand(0), builder.getInt32(0), false);
      return true;
    case Intrinsic::nvvm_barrier:
    case Intrinsic::nvvm_barrier_sync_cnt:
      numbered_barrier(builder, call.getArgOperand(0), call.getArgOperand(1), false);
      return true;
    default:
      break;
  }
  if (!call.getCalledFunction()->getName().starts_with("llvm.nvvm.")) return false;
  if (is_repeatable_context_call(call) || as_sync_point(call)) return false;
  result = library_call(builder, call);
  return true;
}

static void lower_intrinsic_calls(Module& module) {
  for (Function& function : module) {
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      auto* call = dyn_cast<IntrinsicInst>(&instruction);
      Value* result = nullptr;
      if (!call || !lower_intrinsic(*call, module, result)) continue;
      if (result) call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }
}

static void rename_function(Module& module, StringRef from, StringRef to) {
  Function* function = module.getFunction(from);
  if (!function || !function->isDeclaration()) return;
  function->setName(to);
}

/// __assertfail(message, file, line, function, char size) also needs to know who asks.
static void lower_assert(Module& module) {
  Function* assertion = module.getFunction("__assertfail");
  if (!assertion || !assertion->isDeclaration()) return;
  for (User* user : make_early_inc_range(assertion->users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (!call || call->arg_size() < 4) continue;
    IRBuilder<> builder(call);
    CallInst* service =
        call_service(builder, "gridspan_device_assertfail", builder.getVoidTy(),
                     {current_thread(builder, module), call->getArgOperand(0),
                      call->getArgOperand(1), call->getArgOperand(2), call->getArgOperand(3)});
    service->setDoesNotReturn();
    call->eraseFromParent();
  }
}

/// __trap() as the headers declare it.
static void lower_trap(Module& module) {
  Function* function = module.getFunction("__trap");
  if (!function || !function->isDeclaration()) return;
  for (User* user : make_early_inc_range(function->users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (!call) continue;
    IRBuilder<> builder(call);
    trap(builder, module);
    call->eraseFromParent();
  }
}

/// What vtables hold in the place of pure and deleted virtual functions ends the launch.
static void define_missing_virtuals(Module& module) {
  for (StringRef name : {"__cxa_pure_virtual", "__cxa_deleted_virtual"}) {
    Function* function = module.getFunction(name);
    if (!function || !function->isDeclaration()) continue;
    function->setLinkage(GlobalValue::InternalLinkage);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", function));
    trap(builder, module);
    builder.CreateUnreachable();
  }
}

void lower_intrinsics(Module& module) {
  lower_intrinsic_calls(module);
  lower_warp_calls(module);
  rename_function(module, "vprintf", "gridspan_device_vprintf");
  rename_function(module, "malloc", "gridspan_device_malloc");
  rename_function(module, "free", "gridspan_device_free");
  lower_assert(module);
  lower_trap(module);
  define_missing_virtuals(module);
}

static bool is_provided_elsewhere(StringRef name) {
  if (name.starts_with("gridspan")) return true;
  // The C library's memory functions work on device memory as they are.
  return name == "memcpy" || name == "memmove" || name == "memset" || name == "memcmp" ||
         name == "strlen" || name == "strcmp" || name == "strncmp";
}

bool is_device_service(StringRef name) {
  static const StringSet<> lowered = {"vprintf",
                                      "malloc",
                                      "free",
                                      "__trap",
                                      "__assertfail",
                                      "__cxa_pure_virtual",
                                      "__cxa_deleted_virtual"};
  return lowered.contains(name) || is_device_runtime(name) || name.starts_with("__nv_") ||
         name.starts_with("__gridspan_") || is_provided_elsewhere(name);
}

StringSet<> undefined_functions(const Module& module) {
  StringSet<> names;
  for (const Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
      names.insert(function.getName());
  return names;
}

void check_undefined(Module& module, const StringSet<>& wanted, UserErrors& errors) {
  for (Function& function : module) {
    if (!function.isDeclaration() || function.use_empty()) continue;
    if (!wanted.contains(function.getName())) continue;
    if (is_provided_elsewhere(function.getName())) continue;
    std::string name = demangle(function.getName());
    for (User* user : function.users()) {
      auto* instruction = dyn_cast<Instruction>(user);
      StringRef intrinsic = function.getName();
      std::string text = intrinsic.consume_front("__gridspan_nvvm_")
                             ? "NVVM intrinsic '" + intrinsic.str() + "' is not supported"
                             : "device function '" + name +
                                   "' is not defined in this file; -rdc=true lets it be in another";
      errors.push_back({instruction ? source_line(*instruction) : SourceLine{}, text});
      break;
    }
  }
}

}  // namespace gridspan::transforms
