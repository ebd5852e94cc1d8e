// Reads registrations, and the stubs' bodies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/kernel_stubs.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <map>
#include <optional>

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

struct Slot {
  const Value* base;
  std::int64_t offset;
};

Slot slot(const Value& pointer, const DataLayout& layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const Value* base = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  return {base, offset.getSExtValue()};
}

/// The array of addresses that a stub passes on.
const Value* address_array(const Function& stub) {
  for (const Instruction& instruction : instructions(stub))
    if (auto* call = dyn_cast<CallBase>(&instruction))
      if (const Function* callee = call->getCalledFunction();
          callee && callee->getName().starts_with("cudaLaunchKernel") && call->arg_size() >= 6)
        return call->getArgOperand(call->arg_size() - 3)->stripPointerCasts();
  return nullptr;
}

void understand(const Function& stub, KernelStub& known) {
  const DataLayout& layout = stub.getParent()->getDataLayout();
  const Value* array = address_array(stub);
  if (!array) return;
  std::map<std::int64_t, const Value*> variables;                             // by parameter
  std::map<const Value*, std::map<std::int64_t, const Argument*>> arguments;  // by variable, offset
  for (const Instruction& instruction : instructions(stub)) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (!store) continue;
    const Slot to = slot(*store->getPointerOperand(), layout);
    const Value* value = store->getValueOperand()->stripPointerCasts();
    if (to.base == array)
      variables[to.offset / layout.getPointerSize()] = value;
    else if (auto* argument = dyn_cast<Argument>(store->getValueOperand()))
      arguments[to.base][to.offset] = argument;
  }
  for (const auto& [index, variable] : variables) {
    if (index != static_cast<std::int64_t>(known.parameters.size())) return;
    KernelStub::Parameter& parameter = known.parameters.emplace_back();
    if (auto* argument = dyn_cast<Argument>(variable)) {
      if (!argument->hasByValAttr()) return;
      parameter.pieces.push_back({argument->getArgNo(), 0, argument->getParamByValType()});
    } else if (auto* local = dyn_cast<AllocaInst>(variable)) {
      for (const auto& [offset, piece] : arguments[local])
        parameter.pieces.push_back({piece->getArgNo(), offset, piece->getType()});
      if (parameter.pieces.empty()) return;
    } else {
      return;
    }
  }
  known.is_understood = true;
}

}  // namespace

/// _Z18__device_stub__kernelPf -> _Z6kernelPf
std::string kernel_of_stub(StringRef stub) {
  constexpr StringRef mark = "__device_stub__";
  auto [before, after] = stub.split(mark);
  if (before.size() + mark.size() > stub.size()) return {};
  const std::size_t begin = before.find_last_not_of("0123456789") + 1;
  std::size_t length = 0;
  if (before.drop_front(begin).getAsInteger(10, length) || length < mark.size())
    return before.empty() ? after.str() : std::string();
  return (before.take_front(begin) + Twine(length - mark.size()) + after).str();
}

std::vector<CallBase*> calls_of(const Module& module, StringRef name) {
  std::vector<CallBase*> calls;
  if (const Function* function = module.getFunction(name))
    for (const User* user : function->users())
      if (auto* call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == function)
        calls.push_back(const_cast<CallBase*>(call));
  return calls;
}

KernelStubs find_kernel_stubs(const Module& module) {
  KernelStubs stubs;
  for (const CallBase* call : calls_of(module, "__cudaRegisterFunction")) {
    auto* stub = dyn_cast<Function>(call->getArgOperand(1)->stripPointerCasts());
    StringRef name;
    if (!stub || !getConstantStringInfo(call->getArgOperand(2), name)) continue;
    KernelStub& known = stubs[stub];
    known.kernel = name.str();
    understand(*stub, known);
  }
  return stubs;
}

}  // namespace gridspan::host_plugin
