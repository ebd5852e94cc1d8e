// Writes __ldg anew, with a load for each number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/read_only_loads.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

bool is_ldg(const Function& function) {
  const StringRef name = function.getName();
  return !function.isDeclaration() && function.arg_size() == 1 &&
         function.getArg(0)->getType()->isPointerTy() &&
         (name.starts_with("_Z5__ldgPK") || name.starts_with("_ZL5__ldgPK"));
}

/// Clang copies structs, and loads numbers.
Align alignment_of(const Function& function) {
  Align least(1);
  for (const Instruction& instruction : instructions(function)) {
    if (const auto* copy = dyn_cast<MemCpyInst>(&instruction))
      least = std::max(least, copy->getSourceAlign().valueOrOne());
    if (const auto* load = dyn_cast<LoadInst>(&instruction);
        load && load->getType() == function.getReturnType() && !load->getType()->isStructTy())
      least = std::max(least, load->getAlign());
  }
  return least;
}

Value* load_invariant(IRBuilder<>& builder, Type* type, Value* address, Align alignment) {
  LoadInst* load = builder.CreateAlignedLoad(type, address, alignment);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(type->getContext(), {}));
  return load;
}

/// Of numbers, and of structs of numbers.
bool is_known(const Type* type) {
  const auto* fields = dyn_cast<StructType>(type);
  return fields ? none_of(fields->elements(),
                          [](const Type* field) { return field->isAggregateType(); })
                : type->isSingleValueType();
}

void write(Function& function) {
  const Align alignment = alignment_of(function);
  const GlobalValue::LinkageTypes linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  Type* const type = function.getReturnType();
  Value* const address = function.getArg(0);
  auto* const fields = dyn_cast<StructType>(type);
  if (!fields) {
    builder.CreateRet(load_invariant(builder, type, address, alignment));
    return;
  }
  const StructLayout* layout = function.getParent()->getDataLayout().getStructLayout(fields);
  Value* all = PoisonValue::get(type);
  for (unsigned i = 0; i < fields->getNumElements(); ++i) {
    const Align own = commonAlignment(alignment, layout->getElementOffset(i));
    Value* place = builder.CreateStructGEP(fields, address, i);
    all = builder.CreateInsertValue(
        all, load_invariant(builder, fields->getElementType(i), place, own), i);
  }
  builder.CreateRet(all);
}

}  // namespace

void mark_read_only_loads(Module& module) {
  for (Function& function : module)
    if (is_ldg(function) && is_known(function.getReturnType())) write(function);
}

}  // namespace gridspan::codegen::ptx
