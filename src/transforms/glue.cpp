// One call after the other, inlined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/glue.h"

#include "transforms/diagnostics.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <array>

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// By number of the one kernel's parameter, an argument that it stands for.
std::vector<Argument*> parameters_of(ArrayRef<GluedKernel> kernels) {
  std::vector<Argument*> parameters;
  for (const GluedKernel& kernel : kernels)
    for (const auto [argument, value] : zip_equal(kernel.function->args(), kernel.values)) {
      if (value >= parameters.size()) parameters.resize(value + 1, nullptr);
      if (!parameters[value]) parameters[value] = &argument;
    }
  return parameters;
}

/// Ends the thread elsewhere than at its last line, so that what comes next would be left out.
bool ends_thread(const Instruction& instruction) {
  return isa<UnreachableInst>(instruction) || isa<InvokeInst>(instruction) ||
         isa<ResumeInst>(instruction);
}

std::string at(const Instruction& instruction, const char* what) {
  return to_string(source_line(instruction)) + ": " + what;
}

/// What the compiler was told of one kernel's memory does not hold where another one writes it.
void forget_memory_facts(Instruction& instruction) {
  for (const unsigned kind : {LLVMContext::MD_invariant_load, LLVMContext::MD_tbaa,
                              LLVMContext::MD_tbaa_struct, LLVMContext::MD_invariant_group})
    instruction.setMetadata(kind, nullptr);
}

/// Lines of the kernels stay theirs, as those of inlined functions; the calls are in the first
/// one's line.
DebugLoc add_debug_info(Function& glued, const Function& first) {
  DISubprogram* original = first.getSubprogram();
  if (!original) return {};
  DIBuilder builder(*glued.getParent(), true, original->getUnit());
  DISubprogram* own = builder.createFunction(
      original->getFile(), glued.getName(), glued.getName(), original->getFile(),
      original->getLine(), original->getType(), original->getScopeLine(), original->getFlags(),
      original->getSPFlags() | DISubprogram::SPFlagDefinition);
  builder.finalizeSubprogram(own);
  glued.setSubprogram(own);
  return DILocation::get(glued.getContext(), original->getLine(), 0, own);
}

/// What LLVM found out about one kernel need not hold for another.
bool have_all(ArrayRef<GluedKernel> kernels, const Attribute& attribute) {
  return all_of(kernels, [&](const GluedKernel& kernel) {
    return is_contained(kernel.function->getAttributes().getFnAttrs(), attribute);
  });
}

/// Units of a device link may be compiled with other treatment of denormal numbers.
bool agree_on_denormals(ArrayRef<GluedKernel> kernels) {
  return all_of(kernels, [&](const GluedKernel& kernel) {
    return all_of(std::array{"denormal-fp-math", "denormal-fp-math-f32"}, [&](const char* name) {
      return kernel.function->getFnAttribute(name) ==
             kernels.front().function->getFnAttribute(name);
    });
  });
}

std::uint32_t smaller_bound(std::uint32_t a, std::uint32_t b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

}  // namespace

std::optional<std::string> why_not_glued(ArrayRef<GluedKernel> kernels) {
  for (const GluedKernel& kernel : kernels) {
    if (kernel.function->arg_size() != kernel.values.size())
      return "the arguments are not those of " + kernel.function->getName().str();
    for (const Function* function : reachable_functions(*kernel.function))
      for (const Instruction& instruction : instructions(*function)) {
        if (ends_thread(instruction)) return at(instruction, "a thread may end here");
        if (auto* call = dyn_cast<IntrinsicInst>(&instruction);
            call && call->getIntrinsicID() == Intrinsic::invariant_start)
          return at(instruction, "memory is said not to change");
      }
  }
  if (!agree_on_denormals(kernels)) return "denormal numbers are treated in two ways";
  const std::vector<Argument*> parameters = parameters_of(kernels);
  if (is_contained(parameters, nullptr)) return "a parameter has no argument";
  for (const GluedKernel& kernel : kernels)
    for (const auto [argument, value] : zip_equal(kernel.function->args(), kernel.values)) {
      const bool is_first = parameters[value] == &argument;
      if (argument.getType() != parameters[value]->getType())
        return "equal arguments have other types";
      if (!is_first && (argument.hasByValAttr() || parameters[value]->hasByValAttr()))
        return "equal arguments are structs";
    }
  return std::nullopt;
}

std::optional<std::string> drop_writes(Function& kernel, unsigned number) {
  SmallVector<StoreInst*> stores;
  SmallVector<LoadInst*> loads;
  SmallSetVector<Value*, 8> pointers;
  pointers.insert(kernel.getArg(number));
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    for (const Use& use : pointers[i]->uses()) {
      auto* instruction = cast<Instruction>(use.getUser());
      auto* store = dyn_cast<StoreInst>(instruction);
      if (store && store->getPointerOperand() == use.get() && store->getValueOperand() != use.get())
        stores.push_back(store);
      else if (auto* place = dyn_cast<GetElementPtrInst>(instruction))
        pointers.insert(place);
      else if (auto* load = dyn_cast<LoadInst>(instruction))
        loads.push_back(load);
      else
        return at(*instruction, "does more with the pointer than to read and write");
    }
  }
  for (const LoadInst* load : loads)
    for (const StoreInst* store : stores)
      if (isPotentiallyReachable(store, load))
        return at(*load, "reads elements that its own thread has not surely written");
  for (StoreInst* store : stores) store->eraseFromParent();
  return std::nullopt;
}

KernelDeclaration glue_kernels(ArrayRef<KernelDeclaration> declarations,
                               ArrayRef<GluedKernel> kernels, const std::string& name) {
  Function& first = *kernels.front().function;
  const std::vector<Argument*> parameters = parameters_of(kernels);
  SmallVector<Type*> types;
  for (const Argument* parameter : parameters) types.push_back(parameter->getType());
  Function* glued =
      Function::Create(FunctionType::get(Type::getVoidTy(first.getContext()), types, false),
                       first.getLinkage(), first.getAddressSpace(), name, first.getParent());
  glued->setCallingConv(first.getCallingConv());
  for (const Attribute attribute : first.getAttributes().getFnAttrs())
    if (!attribute.hasAttribute(Attribute::Memory) && have_all(kernels, attribute))
      glued->addFnAttr(attribute);
  const DebugLoc begin = add_debug_info(*glued, first);
  for (const auto [place, original] : zip_equal(glued->args(), parameters)) {
    place.setName(original->getName());
    if (!original->hasByValAttr()) {
      if (place.getType()->isPointerTy()) place.addAttr(Attribute::NoAlias);
      continue;
    }
    place.addAttr(original->getAttribute(Attribute::ByVal));
    if (original->getParamAlign())
      place.addAttr(Attribute::getWithAlignment(first.getContext(), *original->getParamAlign()));
  }
  IRBuilder<> builder(BasicBlock::Create(first.getContext(), "entry", glued));
  SmallVector<CallInst*> calls;
  for (const GluedKernel& kernel : kernels) {
    SmallVector<Value*> arguments;
    for (const unsigned value : kernel.values) arguments.push_back(glued->getArg(value));
    calls.push_back(builder.CreateCall(kernel.function, arguments));
    calls.back()->setCallingConv(kernel.function->getCallingConv());
    calls.back()->setDebugLoc(begin);
  }
  builder.CreateRetVoid();
  KernelDeclaration declaration{glued};
  for (const KernelDeclaration& one : declarations) {
    if (none_of(kernels,
                [&](const GluedKernel& kernel) { return kernel.function == one.function; }))
      continue;
    declaration.max_threads = smaller_bound(declaration.max_threads, one.max_threads);
  }
  for (CallInst* call : calls) {
    InlineFunctionInfo info;
    const InlineResult result = InlineFunction(*call, info);
    if (!result.isSuccess()) report_fatal_error(result.getFailureReason());
  }
  for (Function* function : reachable_functions(*glued))
    for (Instruction& instruction : instructions(*function)) forget_memory_facts(instruction);
  return declaration;
}

}  // namespace gridspan::transforms
