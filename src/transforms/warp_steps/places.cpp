// Calls with a number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/places.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

static constexpr char mark_name[] = "gridspan.place";

static bool is_place(const Instruction& instruction) {
  if (auto* branch = dyn_cast<BranchInst>(&instruction)) return branch->isConditional();
  return !visible_accesses(instruction).empty();
}

static FunctionCallee mark_function(Module& module) {
  LLVMContext& context = module.getContext();
  auto* type = FunctionType::get(Type::getVoidTy(context), {Type::getInt32Ty(context)}, false);
  FunctionCallee callee = module.getOrInsertFunction(mark_name, type);
  auto* function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setOnlyAccessesInaccessibleMemory();
  return callee;
}

Places::Places(Module& module) {
  for (Function& function : module) {
    const auto first = static_cast<unsigned>(instructions_.size());
    for (Instruction& instruction : instructions(function))
      if (is_place(instruction)) instructions_.push_back(&instruction);
    of_function_[&function] = {first, static_cast<unsigned>(instructions_.size())};
  }
}

void Places::mark(const Function& function, const ValueToValueMapTy& copies) const {
  const auto [first, end] = of_function_.lookup(&function);
  for (unsigned place = first; place < end; ++place) {
    auto* copy = dyn_cast_or_null<Instruction>(copies.lookup(instructions_[place]));
    if (!copy) continue;
    IRBuilder<> builder(copy);
    builder.CreateCall(mark_function(*copy->getModule()), {builder.getInt32(place)});
  }
}

std::set<unsigned> Places::volatile_loads_in(const Function& function) const {
  std::set<unsigned> found;
  const auto [first, end] = of_function_.lookup(&function);
  for (unsigned place = first; place < end; ++place)
    if (isa<LoadInst>(instructions_[place]) && instructions_[place]->isVolatile())
      found.insert(place);
  return found;
}

std::optional<unsigned> Places::marked_by(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != mark_name)
    return std::nullopt;
  return static_cast<unsigned>(cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
}

}  // namespace gridspan::transforms
