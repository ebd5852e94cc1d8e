// Sizes of kernels before they are inlined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_limit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace gridspan::transforms {

using namespace llvm;

namespace {

bool is_numeric(const Type* type) {
  if (auto* structure = dyn_cast<StructType>(type))
    return all_of(structure->elements(), is_numeric);
  if (auto* array = dyn_cast<ArrayType>(type)) return is_numeric(array->getElementType());
  return type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy();
}

bool has_numeric_type(const Function& function) {
  return !function.isVarArg() && is_numeric(function.getReturnType()) &&
         all_of(function.args(), [](const Argument& one) { return is_numeric(one.getType()); });
}

bool is_harmless(const IntrinsicInst& call) {
  if (call.isConvergent() || call.getCalledFunction()->getName().starts_with("llvm.nvvm"))
    return false;
  return call.doesNotAccessMemory() || call.isAssumeLikeIntrinsic() || isa<MemIntrinsic>(call);
}

/// Whether functions, and all that they call, have no memory but their own and their caller's, and
/// do not care which thread runs them.
class OwnMemory {
 public:
  bool suffices(const Function& function) {
    const auto [known, is_new] = known_.try_emplace(&function, false);  // recursion: no
    if (!is_new) return known->second;
    const bool good = !function.isDeclaration() &&
                      all_of(instructions(function), [&](auto& one) { return may_have(one); });
    return known_[&function] = good;
  }

 private:
  bool may_have(const Instruction& instruction) {
    if (instruction.isAtomic() || instruction.isVolatile() || isa<IntToPtrInst>(instruction))
      return false;
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) return is_harmless(*intrinsic);
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      const Function* callee = call->getCalledFunction();
      return callee && suffices(*callee);
    }
    return none_of(instruction.operands(), [](const Use& operand) {
      return operand->getType()->isPointerTy() && isa<Constant>(operand) &&
             !isa<ConstantPointerNull, UndefValue>(operand);
    });
  }

  DenseMap<const Function*, bool> known_;
};

/// What is called directly, and how often the text does so.
using Calls = MapVector<Function*, std::uint64_t>;

class CallGraph {
 public:
  explicit CallGraph(Module& module) {
    for (Function& function : module)
      for (Instruction& instruction : instructions(function)) {
        ++own_[&function];
        auto* call = dyn_cast<CallBase>(&instruction);
        Function* callee = call ? call->getCalledFunction() : nullptr;
        if (callee && !callee->isDeclaration()) ++calls_[&function][callee];
      }
  }

  /// Callers come before those that they call. Recursive calls do not count.
  std::vector<Function*> below(Function& root) {
    std::vector<Function*> order;
    DenseSet<Function*> seen;
    add_below(root, seen, order);
    std::ranges::reverse(order);
    return order;
  }

  const Calls& calls_of(Function& caller) { return calls_[&caller]; }
  std::uint64_t own_size(Function& function) { return own_[&function]; }

 private:
  void add_below(Function& function, DenseSet<Function*>& seen, std::vector<Function*>& order) {
    if (!seen.insert(&function).second) return;
    const SmallVector<Function*> callees(
        map_range(calls_[&function], [](const auto& call) { return call.first; }));
    for (Function* callee : callees) add_below(*callee, seen, order);
    order.push_back(&function);
  }

  DenseMap<Function*, Calls> calls_;
  DenseMap<Function*, std::uint64_t> own_;
};

constexpr std::uint64_t countless = std::uint64_t{1} << 40;

std::uint64_t limited(std::uint64_t number) { return std::min(number, countless); }

/// A kernel with all inlined but the functions in `stay`.
struct InlinedKernel {
  std::vector<Function*> order;  // callers come before those that they call
  DenseMap<Function*, std::uint64_t> copies, sizes;
  std::uint64_t size = 0;

  InlinedKernel(Function& kernel, CallGraph& graph, const SetVector<Function*>& stay)
      : order(graph.below(kernel)) {
    copies[&kernel] = 1;
    for (Function* caller : order)
      for (const auto& [callee, times] : graph.calls_of(*caller))
        if (!stay.contains(callee))
          copies[callee] = limited(copies[callee] + limited(copies[caller] * times));
    for (Function* one : reverse(order)) {
      sizes[one] = graph.own_size(*one);
      for (const auto& [callee, times] : graph.calls_of(*one))
        if (!stay.contains(callee)) sizes[one] = limited(sizes[one] + times * sizes[callee]);
    }
    size = sizes[&kernel];
  }
};

/// The one that makes up most of the kernel, if that is a part worth the calls.
Function* largest_part(InlinedKernel& kernel, OwnMemory& own_memory) {
  constexpr std::uint64_t worth_it = 20;  // a part in so many
  Function* best = nullptr;
  std::uint64_t most = kernel.size / worth_it;
  for (Function* function : kernel.order) {
    const std::uint64_t copies = kernel.copies[function];
    const std::uint64_t part = limited(copies * kernel.sizes[function]);
    if (part <= most || copies < 2) continue;
    if (!has_numeric_type(*function) || !own_memory.suffices(*function)) continue;
    best = function;
    most = part;
  }
  return best;
}

std::vector<KeptCalls> kept_by(ArrayRef<KernelDeclaration> kernels, CallGraph& graph,
                               const SetVector<Function*>& stay) {
  std::vector<KeptCalls> kept;
  for (const KernelDeclaration& kernel : kernels) {
    KeptCalls calls{kernel.function, {}};
    for (Function* function : graph.below(*kernel.function))
      if (stay.contains(function)) calls.functions.push_back(function);
    if (!calls.functions.empty()) kept.push_back(std::move(calls));
  }
  return kept;
}

}  // namespace

std::vector<KeptCalls> limit_inlining(Module& module, ArrayRef<KernelDeclaration> kernels,
                                      std::uint64_t limit) {
  CallGraph graph(module);
  OwnMemory own_memory;
  SetVector<Function*> stay;
  for (const KernelDeclaration& kernel : kernels)
    for (;;) {
      InlinedKernel inlined(*kernel.function, graph, stay);
      Function* part = inlined.size > limit ? largest_part(inlined, own_memory) : nullptr;
      if (!part) break;
      stay.insert(part);
    }
  for (Function* function : stay) {
    function->removeFnAttr(Attribute::AlwaysInline);
    function->addFnAttr(Attribute::NoInline);
  }
  return stay.empty() ? std::vector<KeptCalls>() : kept_by(kernels, graph, stay);
}

}  // namespace gridspan::transforms
