// Packs arguments and calls the device library; marks tell who launches whom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/device_launches.h"

#include "abi/child_list.h"
#include "codegen/parameters.h"
#include "codegen/ptx/prepare.h"
#include "support/ptx_names.h"
#include "support/readable_name.h"
#include "transforms/diagnostics.h"
#include "transforms/kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

constexpr char mark_prefix[] = "gridspan.launches.";
constexpr char launches_attribute[] = "gridspan-launches";
constexpr char wait[] = "cudaDeviceSynchronize";

bool is_mark(const Function& function) { return function.getName().starts_with(mark_prefix); }

CallInst* directly_calls(User* user, const Function& function) {
  auto* call = dyn_cast<CallInst>(user);
  return call && call->getCalledFunction() == &function ? call : nullptr;
}

using Functions = SmallPtrSet<const Function*, 32>;

/// Every call of the function that the module declares by this name, in one of those.
template <class Body>
void for_each_call(Module& module, StringRef name, const Functions& callers, Body body) {
  Function* function = module.getFunction(name);
  if (!function || !function->isDeclaration()) return;
  for (User* user : make_early_inc_range(function->users()))
    if (CallInst* call = directly_calls(user, *function);
        call && callers.contains(call->getFunction()))
      body(*call);
}

CallInst* call_library(IRBuilder<>& builder, StringRef name, Type* result,
                       ArrayRef<Value*> arguments) {
  SmallVector<Type*> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      name, FunctionType::get(result, types, /*isVarArg=*/false));
  return builder.CreateCall(callee, arguments);
}

/// Says that the code launches the kernel, until drop_marks.
void mark(IRBuilder<>& builder, const Function& kernel) {
  CallInst* made =
      call_library(builder, mark_prefix + kernel.getName().str(), builder.getVoidTy(), {});
  Function* function = made->getCalledFunction();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::WillReturn);
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());  // it must not go
}

/// The launches of one module.
class Lister {
 public:
  void configure(CallInst& call) {
    IRBuilder<> builder(&call);
    Value* stream = builder.CreatePtrToInt(call.getArgOperand(3), builder.getInt64Ty());
    call.replaceAllUsesWith(call_library(builder, "gridspan_configure_child", builder.getInt32Ty(),
                                         {&record_of(*call.getFunction()), call.getArgOperand(0),
                                          call.getArgOperand(1), call.getArgOperand(2), stream}));
    call.eraseFromParent();
  }

  void launch(CallInst& call, const transforms::KernelDeclaration& kernel) {
    IRBuilder<> builder(&call);
    const auto [arguments, bytes] = pack(builder, call, *kernel.function);
    const StringRef name = kernel.function->getName();
    call_library(builder, "gridspan_launch_child", builder.getVoidTy(),
                 {&record_of(*call.getFunction()),
                  builder.getInt64(abi::identity_of(name.data(), name.size())), arguments,
                  builder.getInt32(bytes), builder.getInt32(kernel.max_threads)});
    mark(builder, *kernel.function);
    call.eraseFromParent();
  }

 private:
  static AllocaInst& make_local(Function& function, std::uint64_t bytes) {
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    AllocaInst* made = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes));
    made->setAlignment(Align(alignof(abi::ChildRecord)));
    return *made;
  }

  /// A launch follows its configuration in the same function.
  AllocaInst& record_of(Function& function) {
    AllocaInst*& record = records_[&function];
    if (!record) record = &make_local(function, sizeof(abi::ChildRecord));
    return *record;
  }

  /// Whole words.
  static std::pair<Value*, std::uint32_t> pack(IRBuilder<>& builder, CallInst& call,
                                               const Function& kernel) {
    const std::vector<KernelParameter> parameters = parameters_of(kernel);
    const std::uint32_t bytes =
        parameters.empty() ? 0 : parameters.back().offset + parameters.back().size;
    AllocaInst& packed = make_local(*call.getFunction(), alignTo(std::max(bytes, 1u), 8));
    for (unsigned i = 0; i < parameters.size(); ++i) {
      const auto& [size, align, offset, is_pointer] = parameters[i];
      Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &packed, offset);
      Value* value = call.getArgOperand(i);
      const Align there = commonAlignment(packed.getAlign(), offset);
      if (call.isByValArgument(i))
        builder.CreateMemCpy(place, there, value, call.getParamAlign(i), size);
      else
        builder.CreateAlignedStore(value, place, there);
    }
    return {&packed, bytes};
  }

  std::map<Function*, AllocaInst*> records_;
};

bool calls(Function& kernel, function_ref<bool(const Function&)> is_it) {
  return any_of(transforms::reachable_functions(kernel), [&](Function* function) {
    return any_of(instructions(*function), [&](const Instruction& instruction) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      return call && call->getCalledFunction() && is_it(*call->getCalledFunction());
    });
  });
}

void clear_error(Function& kernel) {
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  // Calls in functions with lines need one, too.
  if (DISubprogram* program = kernel.getSubprogram())
    builder.SetCurrentDebugLocation(
        DILocation::get(kernel.getContext(), program->getLine(), 0, program));
  call_library(builder, "gridspan_clear_device_error", builder.getVoidTy(), {});
}

/// The device library's, for modules whose kernels use the function.
void declare_mover(Module& module, StringRef user, const Functions& reached, StringRef name) {
  bool is_used = false;
  for_each_call(module, user, reached, [&](CallInst&) { is_used = true; });
  if (!is_used) return;
  Type* const word = Type::getInt64Ty(module.getContext());
  Type* const pointer = PointerType::getUnqual(module.getContext());
  const bool copies = name == abi::copy_kernel;
  module.getOrInsertFunction(name, Type::getVoidTy(module.getContext()), pointer,
                             copies ? pointer : word, word);
}

/// Whatever is done between the call and the kernel's end touches no memory.
bool is_last(CallInst& call) {
  SmallVector<Instruction*> starts = {call.getNextNode()};
  SmallPtrSet<const BasicBlock*, 16> seen;
  while (!starts.empty()) {
    Instruction* const start = starts.pop_back_val();
    for (Instruction* one = start; one; one = one->getNextNode())
      if (one->mayReadOrWriteMemory() && !isa<DbgInfoIntrinsic>(one) &&
          !one->isLifetimeStartOrEnd())
        return false;
    for (BasicBlock* next : successors(start->getParent()))
      if (seen.insert(next).second) starts.push_back(&next->front());
  }
  return true;
}

}  // namespace

/// Functions of the host, which are there if tables have their addresses, launch kernels, too.
void list_launches(Module& module) {
  constexpr StringRef ours[] = {
      "__cudaPushCallConfiguration", "cudaConfigureCall", "cudaGetLastError",
      "cudaPeekAtLastError",         "cudaMemcpyAsync",   "cudaMemsetAsync"};
  if (none_of(ours, [&](StringRef name) { return module.getFunction(name) != nullptr; })) return;
  Lister lister;
  const std::vector<transforms::KernelDeclaration> kernels = transforms::find_kernels(module);
  Functions reached;
  for (const transforms::KernelDeclaration& kernel : kernels)
    for (Function* function : transforms::reachable_functions(*kernel.function))
      reached.insert(function);
  for (const StringRef name : {"__cudaPushCallConfiguration", "cudaConfigureCall"})
    for_each_call(module, name, reached, [&](CallInst& call) { lister.configure(call); });
  for (const transforms::KernelDeclaration& kernel : kernels) {
    for (User* user : make_early_inc_range(kernel.function->users()))
      if (CallInst* call = directly_calls(user, *kernel.function);
          call && reached.contains(call->getFunction()))
        lister.launch(*call, kernel);
  }
  declare_mover(module, "cudaMemcpyAsync", reached, abi::copy_kernel);
  declare_mover(module, "cudaMemsetAsync", reached, abi::fill_kernel);
  for (const transforms::KernelDeclaration& kernel : kernels)
    if (calls(*kernel.function, [](const Function& callee) {
          return callee.getName() == "cudaGetLastError" ||
                 callee.getName() == "cudaPeekAtLastError";
        }))
      clear_error(*kernel.function);
}

void define_child_list(Module& module, const PtxOptions& options) {
  GlobalVariable* list = module.getGlobalVariable(abi::child_list_variable);
  if (!list || !list->isDeclaration()) return;
  list->setInitializer(Constant::getNullValue(list->getValueType()));
  list->setExternallyInitialized(true);
  for (const StringRef name : {abi::copy_kernel, abi::fill_kernel})
    if (Function* mover = module.getFunction(name); mover && !mover->isDeclaration()) {
      mover->setLinkage(GlobalValue::ExternalLinkage);
      mover->addFnAttr(launches_attribute);  // as what it works for, never in parts
      annotate_kernel({mover}, options);
    }
}

void drop_last_waits(Module& module) {
  Functions kernels;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    kernels.insert(kernel.function);
  for_each_call(module, wait, kernels, [&](CallInst& call) {
    if (!is_last(call)) return;
    call.replaceAllUsesWith(ConstantInt::get(call.getType(), 0));
    call.eraseFromParent();
  });
}

void add_launching(Module& module, const Reasons& others, Reasons& reasons) {
  if (none_of(module, is_mark)) return;
  std::set<std::string> missing;
  for (const Reasons* known : {&others, &std::as_const(reasons)})
    for (const auto& [kernel, reason] : *known) missing.insert(support::name_in_ptx(kernel));
  const auto why = [&](Function& kernel) -> std::string {
    for (Function* function : transforms::reachable_functions(kernel))
      for (const Instruction& instruction : instructions(*function)) {
        const auto* call = dyn_cast<CallInst>(&instruction);
        StringRef launched =
            call && call->getCalledFunction() ? call->getCalledFunction()->getName() : StringRef();
        if (launched.consume_front(mark_prefix) &&
            missing.contains(support::name_in_ptx(launched.str())))
          return at(instruction, "it launches kernel '" + support::readable_name(launched) +
                                     "', which has no code for GPUs");
      }
    return {};
  };
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module)) {
      const std::string name = kernel.function->getName().str();
      if (missing.contains(name)) continue;
      if (std::string reason = why(*kernel.function); !reason.empty()) {
        reasons.emplace(name, std::move(reason));
        missing.insert(name);
        is_new = true;
      }
    }
  }
}

void drop_marks(Module& module) {
  const GlobalVariable* list = module.getGlobalVariable(abi::child_list_variable);
  if (!list) return;
  SmallPtrSet<const Function*, 16> adding;
  SmallVector<const User*> users(list->users());
  while (!users.empty()) {
    const User* user = users.pop_back_val();
    if (const auto* instruction = dyn_cast<Instruction>(user))
      adding.insert(instruction->getFunction());
    else
      append_range(users, user->users());
  }
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    if (any_of(transforms::reachable_functions(*kernel.function),
               [&](const Function* function) { return adding.contains(function); }))
      kernel.function->addFnAttr(launches_attribute);
  for (Function& function : make_early_inc_range(module)) {
    if (!is_mark(function)) continue;
    for (User* user : make_early_inc_range(function.users()))
      cast<CallInst>(user)->eraseFromParent();
    function.eraseFromParent();
  }
}

bool launches(const Function& kernel) { return kernel.hasFnAttribute(launches_attribute); }

}  // namespace gridspan::codegen::ptx
