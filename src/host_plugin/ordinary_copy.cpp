// Copies, rewrites calls of CUDA's, inlines from callees to callers, optimises.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/ordinary_copy.h"

#include "host_plugin/cuda_calls.h"
#include "host_plugin/kernel_stubs.h"
#include "host_plugin/launched_call.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/InferFunctionAttrs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

constexpr unsigned most_helper_size = 150;       // instructions of a function that is inlined
constexpr unsigned most_function_size = 20'000;  // with what was inlined
constexpr unsigned most_work = 100'000;          // in all functions
constexpr unsigned most_depth = 12;              // of helpers in helpers
constexpr unsigned most_members = 32;            // of a struct, to be told apart

constexpr StringRef direct_launches[] = {
    "cudaLaunchKernel",    "cudaLaunchKernel_ptsz",    "cudaLaunchCooperativeKernel",
    "cudaLaunchKernelExC", "cudaLaunchKernelExC_ptsz", "cudaLaunchCooperativeKernel_ptsz",
};

using Functions = SmallSetVector<const Function*, 16>;

class Copier {
 public:
  explicit Copier(const Module& source) : source_(source), stubs_(find_kernel_stubs(source)) {}

  OrdinaryCopy run() {
    find_launching();
    if (launching_.empty()) return {};
    find_helpers();
    clone();
    for (const Function* function : launching_) reduce(*copied(function));
    for (const Function* function : helpers_) reduce(*copied(function));
    describe_cuda();
    inline_all();
    return {std::move(copy_), std::move(roots_), std::move(launches_)};
  }

 private:
  /// Functions with launches, and all who call them.
  void find_launching() {
    const auto add = [&](const CallBase* call) {
      if (!stubs_.contains(call->getFunction())) launching_.insert(call->getFunction());
    };
    for (const CallBase* call : calls_of(source_, "__cudaPushCallConfiguration")) add(call);
    for (const StringRef name : direct_launches)
      for (const CallBase* call : calls_of(source_, name)) add(call);
    for (std::size_t i = 0; i < launching_.size(); ++i)
      for (const User* user : launching_[i]->users())
        if (auto* call = dyn_cast<CallBase>(user);
            call && call->getCalledOperand() == launching_[i])
          add(call);
  }

  /// Small functions, which may show what a value is.
  void find_helpers() {
    SmallVector<const Function*> open(launching_.begin(), launching_.end());
    while (!open.empty())
      for (const Instruction& instruction : instructions(*open.pop_back_val())) {
        auto* call = dyn_cast<CallBase>(&instruction);
        const Function* callee = call ? call->getCalledFunction() : nullptr;
        if (callee && is_helper(*callee) && helpers_.insert(callee)) open.push_back(callee);
      }
  }
  bool is_helper(const Function& function) const {
    return !function.isDeclaration() && !function.isInterposable() && !function.isVarArg() &&
           !launching_.contains(&function) && !stubs_.contains(&function) &&
           !function.callsFunctionThatReturnsTwice() &&
           function.getInstructionCount() <= most_helper_size;
  }

  void clone() {
    copy_ = CloneModule(source_, map_, [&](const GlobalValue* value) {
      if (auto* function = dyn_cast<Function>(value))
        return launching_.contains(function) || helpers_.contains(function);
      auto* variable = dyn_cast<GlobalVariable>(value);
      return variable && variable->isConstant();
    });
    LLVMContext& context = copy_->getContext();
    Type *pointer = PointerType::getUnqual(context), *nothing = Type::getVoidTy(context);
    marker_ = declare(launch_marker,
                      FunctionType::get(nothing, {Type::getInt64Ty(context), pointer}, true));
    marker_->addFnAttr(Attribute::NoDuplicate);  // there is to be one of each
  }

  /// Its effects are none that host code sees.
  Function* declare(StringRef name, FunctionType* type) {
    auto* function = cast<Function>(copy_->getOrInsertFunction(name, type).getCallee());
    function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    function->addFnAttr(Attribute::NoUnwind);
    function->addFnAttr(Attribute::WillReturn);
    return function;
  }

  Function* copied(const Function* function) { return cast<Function>(map_[function]); }

  void reduce(Function& function) {
    function.removeFnAttr(Attribute::OptimizeNone);
    function.removeFnAttr(Attribute::NoInline);
    SmallVector<CallBase*> calls;
    for (Instruction& instruction : instructions(function))
      if (auto* call = dyn_cast<CallBase>(&instruction)) calls.push_back(call);
    SmallPtrSet<CallBase*, 8> gone;
    for (CallBase* call : calls) {
      const Function* callee = call->getCalledFunction();
      if (callee && callee->getName() == "__cudaPushCallConfiguration") mark(*call, gone);
    }
    for (CallBase* call : calls) {
      if (gone.contains(call)) continue;
      if (auto* invoke = dyn_cast<InvokeInst>(call)) call = changeToCall(invoke);
      const Function* callee = call->getCalledFunction();
      if (callee && is_contained(direct_launches, callee->getName())) {
        mark_direct(*call);
      } else if (callee && callee->isDeclaration() && cuda_effect(callee->getName())) {
        reduce_cuda(*call, callee->getName());
      }
    }
    for (CallBase* call : gone) {
      if (!call->getType()->isVoidTy())
        call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
      if (auto* invoke = dyn_cast<InvokeInst>(call)) call = changeToCall(invoke);
      call->eraseFromParent();
    }
    removeUnreachableBlocks(function);
  }

  /// One call in place of configuration and stub.
  void mark(CallBase& push, SmallPtrSetImpl<CallBase*>& gone) {
    gone.insert(&push);
    auto* launch = const_cast<CallBase*>(launched_after(push));
    if (!launch || !gone.insert(launch).second) return;
    MarkedLaunch marked;
    marked.size_words = (push.arg_size() - 2) / 2;
    marked.has_arguments = true;
    SmallVector<Value*> words = {nullptr, launch->getCalledOperand()};
    append_range(words, push.args());
    IRBuilder<> builder(launch);
    for (unsigned i = 0; i < launch->arg_size(); ++i) {
      const std::size_t before = words.size();
      Value* value = launch->getArgOperand(i);
      if (!launch->isByValArgument(i))
        words.push_back(value);
      else if (!load_members(builder, launch->getParamByValType(i), value, words))
        words.resize(before);
      marked.words.push_back(static_cast<unsigned>(words.size() - before));
    }
    add_marker(builder, marked, words);
  }

  void mark_direct(CallBase& call) {
    MarkedLaunch marked;
    IRBuilder<> builder(&call);
    SmallVector<Value*> words = {nullptr, call.getArgOperand(0)};
    const StringRef name = call.getCalledFunction()->getName();
    if (call.arg_size() < 6) {  // with a struct for the configuration
      words[1] = call.getArgOperand(1);
    } else {
      marked.is_cooperative = name.contains("Cooperative");
      marked.size_words = (call.arg_size() - 4) / 2;
      const unsigned sizes = 2 * marked.size_words, array = 1 + sizes;
      for (unsigned i = 1; i < array; ++i) words.push_back(call.getArgOperand(i));
      words.push_back(call.getArgOperand(array + 1));
      words.push_back(call.getArgOperand(array + 2));
      load_array(builder, *call.getArgOperand(array), words, marked);
    }
    add_marker(builder, marked, words);
    call.replaceAllUsesWith(Constant::getNullValue(call.getType()));
    call.eraseFromParent();
  }

  /// Arguments of a launch that passes their addresses. The kernel's parameters are those of the
  /// stub, if that is known already.
  void load_array(IRBuilder<>& builder, Value& array, SmallVectorImpl<Value*>& words,
                  MarkedLaunch& marked) {
    auto* stub = dyn_cast<Function>(words[1]->stripPointerCasts());
    const auto known = stub ? stubs_.find(source_.getFunction(stub->getName())) : stubs_.end();
    if (known == stubs_.end() || !known->second.is_understood) return;
    const std::size_t before = words.size();
    Type* pointer = builder.getPtrTy();
    for (const KernelStub::Parameter& parameter : known->second.parameters) {
      const std::size_t begin = words.size();
      Value* slot = builder.CreateConstGEP1_64(pointer, &array, marked.words.size());
      Value* address = builder.CreateLoad(pointer, slot);
      for (const auto& piece : parameter.pieces) {
        Value* at = builder.CreateConstGEP1_64(builder.getInt8Ty(), address,
                                               static_cast<std::uint64_t>(piece.offset));
        if (load_members(builder, piece.type, at, words)) continue;
        words.resize(begin);
        break;
      }
      marked.words.push_back(static_cast<unsigned>(words.size() - begin));
    }
    marked.has_arguments = marked.by_parameter = words.size() >= before;
  }

  bool load_members(IRBuilder<>& builder, Type* type, Value* address,
                    SmallVectorImpl<Value*>& words) {
    const std::size_t first = words.size();
    return load_members(builder, type, address, words, first);
  }
  bool load_members(IRBuilder<>& builder, Type* type, Value* address,
                    SmallVectorImpl<Value*>& words, std::size_t first) {
    if (words.size() - first >= most_members) return false;
    const auto member = [&](Type* inner, std::uint64_t offset) {
      Value* at = builder.CreateConstGEP1_64(builder.getInt8Ty(), address, offset);
      return load_members(builder, inner, at, words, first);
    };
    const DataLayout& layout = copy_->getDataLayout();
    if (auto* record = dyn_cast<StructType>(type)) {
      const StructLayout& places = *layout.getStructLayout(record);
      for (unsigned i = 0; i < record->getNumElements(); ++i)
        if (!member(record->getElementType(i), places.getElementOffset(i))) return false;
      return true;
    }
    if (auto* array = dyn_cast<ArrayType>(type)) {
      if (array->getNumElements() > most_members) return false;
      const std::uint64_t step = layout.getTypeAllocSize(array->getElementType());
      for (unsigned i = 0; i < array->getNumElements(); ++i)
        if (!member(array->getElementType(), i * step)) return false;
      return true;
    }
    if (!type->isSingleValueType()) return false;
    words.push_back(builder.CreateAlignedLoad(type, address, Align(1)));
    return true;
  }

  void add_marker(IRBuilder<>& builder, const MarkedLaunch& marked, MutableArrayRef<Value*> words) {
    words[0] = builder.getInt64(launches_.size());
    launches_.push_back(marked);
    builder.CreateCall(marker_, words);
  }

  /// It succeeds, and writes only its results, if these are all that it is given addresses for.
  void reduce_cuda(CallBase& call, StringRef name) {
    IRBuilder<> builder(call.getNextNode());
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    for (const CudaResult& result : cuda_results(name)) {
      if (result.argument >= call.arg_size()) continue;
      Value* to = call.getArgOperand(result.argument);
      if (!to->getType()->isPointerTy() || isa<ConstantPointerNull>(to)) continue;
      Type* type = result.type == 'p'   ? builder.getPtrTy()
                   : result.type == 'l' ? builder.getInt64Ty()
                   : result.type == 'i' ? builder.getInt32Ty()
                                        : builder.getFloatTy();
      const std::string made =
          result.is_memory ? memory_marker : std::string(value_marker) + "." + result.type;
      Value* value = builder.CreateCall(declare(made, FunctionType::get(type, false)));
      builder.CreateStore(value, to);
      call.setArgOperand(result.argument, Constant::getNullValue(to->getType()));
    }
    const bool always_succeeds = cuda_effect(name) != Effect::query;
    if (always_succeeds && call.getType()->isIntegerTy())
      call.replaceAllUsesWith(Constant::getNullValue(call.getType()));
    if (touches_no_host_memory(call, name))
      call.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  }

  static bool touches_no_host_memory(const CallBase& call, StringRef name) {
    const StringRef plain = cuda_name(name);
    constexpr StringRef none[] = {"cudaGetLastError",   "cudaPeekAtLastError", "cudaFree",
                                  "cudaFreeAsync",      "cudaEventRecord",     "cudaEventDestroy",
                                  "cudaStreamDestroy",  "cudaStreamWaitEvent", "cudaSetDevice",
                                  "cudaMemset",         "cudaMemsetAsync",     "cudaEventQuery",
                                  "cudaGetErrorString", "cudaGetErrorName"};
    if (is_contained(none, plain) || !cuda_results(name).empty()) return true;
    if (plain != "cudaMemcpy" && plain != "cudaMemcpyAsync") return false;
    auto* kind = dyn_cast<ConstantInt>(call.getArgOperand(3));
    return kind && kind->equalsInt(3);  // inside the device
  }

  /// Addresses that calls are done with when they return.
  void describe_cuda() {
    for (Function& function : *copy_) {
      if (!function.isDeclaration() || !cuda_effect(function.getName())) continue;
      function.addFnAttr(Attribute::NoUnwind);
      if (function.getName().contains("Async") || function.getName().contains("Host") ||
          function.getName().contains("Graph"))
        continue;
      for (Argument& argument : function.args())
        if (argument.getType()->isPointerTy()) argument.addAttr(Attribute::NoCapture);
    }
  }

  void inline_all() {
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    InferFunctionAttrsPass().run(*copy_, modules);
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass(true));
    passes.addPass(SimplifyCFGPass());
    // What a loop loads, and nobody in it changes, is loaded before it.
    LoopPassManager of_loops;
    of_loops.addPass(LoopRotatePass(true));
    of_loops.addPass(LICMPass(LICMOptions()));
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(of_loops), true));
    passes.addPass(GVNPass());
    passes.addPass(SimplifyCFGPass());
    for (const Function* function : launching_) finish(*copied(function), passes, functions);
    for (Function& function : *copy_)
      if (is_done_.contains(&function) &&
          (left_.contains(&function) || !is_called_.contains(&function)))
        roots_.push_back(&function);
  }

  /// Callees first. A function that calls itself is left alone where it does.
  void finish(Function& function, FunctionPassManager& passes, FunctionAnalysisManager& analyses) {
    if (!begun_.insert(&function).second) return;
    struct Open {
      CallBase* call;
      unsigned depth;
    };
    SmallVector<Open> open;
    const auto add = [&](Instruction& instruction, unsigned depth) {
      if (auto* call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call))
        open.push_back({call, depth});
    };
    for (Instruction& instruction : instructions(function)) add(instruction, 0);
    for (const Open& one : open)
      if (Function* callee = one.call->getCalledFunction(); callee && launches(*callee))
        finish(*callee, passes, analyses);
    unsigned size = function.getInstructionCount();
    while (!open.empty()) {
      const auto [call, depth] = open.pop_back_val();
      Function* callee = call->getCalledFunction();
      if (!callee || callee->isDeclaration() || callee == &function) continue;
      if (callee->isInterposable()) {
        left_.insert(callee);
        continue;
      }
      const bool has_launches = launches(*callee);
      if (has_launches) is_called_.insert(callee);
      const unsigned more = callee->getInstructionCount();
      InlineFunctionInfo info;
      const bool may = (has_launches ? is_done_.contains(callee) : depth < most_depth) &&
                       size + more <= most_function_size && InlineFunction(*call, info).isSuccess();
      if (!may) {
        if (has_launches) left_.insert(callee);
        continue;
      }
      size += more;
      for (CallBase* inlined : info.InlinedCallSites) add(*inlined, depth + 1);
    }
    work_ += size;
    if (work_ > most_work) return;
    passes.run(function, analyses);
    is_done_.insert(&function);
  }

  bool launches(const Function& copy) const {
    const Function* original = source_.getFunction(copy.getName());
    return original && launching_.contains(original);
  }

  const Module& source_;
  const KernelStubs stubs_;
  Functions launching_, helpers_;
  ValueToValueMapTy map_;
  std::unique_ptr<Module> copy_;
  Function* marker_ = nullptr;
  std::vector<MarkedLaunch> launches_;
  SmallPtrSet<const Function*, 16> begun_, is_done_, is_called_, left_;
  std::vector<Function*> roots_;
  unsigned work_ = 0;
};

}  // namespace

OrdinaryCopy copy_ordinary(const Module& source) { return Copier(source).run(); }

}  // namespace gridspan::host_plugin
