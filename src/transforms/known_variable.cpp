// The variable that a pointer leads into, where the code shows it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/known_variable.h"

#include "transforms/context.h"
#include "transforms/lower_globals.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

using namespace llvm;

static std::optional<std::uint64_t> bytes_of(const Value& object, const DataLayout& layout,
                                             const ParameterBytes& parameters) {
  if (const auto* variable = dyn_cast<AllocaInst>(&object)) {
    const auto size = variable->getAllocationSize(layout);
    if (!size || size->isScalable()) return std::nullopt;
    return size->getFixedValue();
  }
  if (const auto* variable = dyn_cast<GlobalVariable>(&object)) {
    if (variable->isDeclaration()) return std::nullopt;
    return layout.getTypeAllocSize(variable->getValueType());
  }
  if (is_marker(&object, Marker::shared))
    return cast<ConstantInt>(cast<CallInst>(object).getArgOperand(1))->getZExtValue();
  if (is_marker(&object, Marker::symbol)) {
    const auto note = symbol_note(cast<CallInst>(object));
    return note ? note->size : 0;
  }
  const auto parameter = parameters.find(&object);
  if (parameter != parameters.end()) return parameter->second;
  return std::nullopt;
}

std::optional<KnownVariable> known_variable(Value* pointer, const ParameterBytes& parameters) {
  const auto* place = dyn_cast<Instruction>(pointer);
  if (place == nullptr && !isa<GlobalVariable, ConstantExpr>(pointer)) return std::nullopt;
  Value* object = getUnderlyingObject(pointer, 0);
  const Module* module = nullptr;
  if (const auto* instruction = dyn_cast<Instruction>(object))
    module = instruction->getModule();
  else if (const auto* global = dyn_cast<GlobalValue>(object))
    module = global->getParent();
  if (module == nullptr) return std::nullopt;
  const auto bytes = bytes_of(*object, module->getDataLayout(), parameters);
  if (!bytes) return std::nullopt;
  const bool is_symbol = is_marker(object, Marker::symbol);
  const auto note = is_symbol ? symbol_note(*cast<CallInst>(object)) : std::nullopt;
  const bool is_shared = is_marker(object, Marker::shared);
  return KnownVariable{object, *bytes, is_symbol, is_shared || (note && !note->is_constant)};
}

bool is_always_inside(const KnownVariable& variable, const Value* pointer, const Value* size,
                      const DataLayout& layout) {
  const auto* bytes = dyn_cast<ConstantInt>(size);
  if (bytes == nullptr || variable.bytes == 0) return false;
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value* base =
      pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  if (base != variable.base || offset.isNegative()) return false;
  const std::uint64_t begin = offset.getZExtValue(), length = bytes->getZExtValue();
  return length <= variable.bytes && begin <= variable.bytes - length;
}

}  // namespace gridspan::transforms
