// Clones with the kernel's annotations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/kernel_clones.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

/// That it is a kernel, and its launch bounds.
static void copy_annotations(Function& kernel, Function& clone) {
  NamedMDNode* annotations = kernel.getParent()->getNamedMetadata("nvvm.annotations");
  if (!annotations) return;
  SmallVector<MDNode*> copies;
  for (MDNode* node : annotations->operands()) {
    if (mdconst::dyn_extract_or_null<Function>(node->getOperand(0)) != &kernel) continue;
    SmallVector<Metadata*> operands(node->operands());
    operands.front() = ConstantAsMetadata::get(&clone);
    copies.push_back(MDNode::get(clone.getContext(), operands));
  }
  for (MDNode* copy : copies) annotations->addOperand(copy);
}

Function& clone_with_parameter(Function& kernel, const Twine& name, StructType* type,
                               Align alignment, const char* parameter) {
  LLVMContext& context = kernel.getContext();
  SmallVector<Type*> types(kernel.getFunctionType()->params());
  types.push_back(PointerType::getUnqual(context));
  auto* clone = Function::Create(FunctionType::get(kernel.getReturnType(), types, false),
                                 kernel.getLinkage(), name, kernel.getParent());
  ValueToValueMapTy map;
  for (auto [from, to] : zip(kernel.args(), clone->args())) {
    map[&from] = &to;
    to.setName(from.getName());
  }
  SmallVector<ReturnInst*, 4> returns;
  CloneFunctionInto(clone, &kernel, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  clone->setSubprogram(nullptr);
  Argument* added = clone->getArg(clone->arg_size() - 1);
  added->setName(parameter);
  AttrBuilder attributes(context);
  attributes.addByValAttr(type);
  attributes.addAlignmentAttr(alignment);
  attributes.addAttribute(Attribute::NoUndef);
  added->addAttrs(attributes);
  copy_annotations(kernel, *clone);
  return *clone;
}

LoadInst* read_field(IRBuilderBase& builder, Argument& parameter, Type* within,
                     ArrayRef<unsigned> path, Type* field) {
  SmallVector<Value*> indices{builder.getInt64(0)};
  for (const unsigned index : path) indices.push_back(builder.getInt32(index));
  Value* place = builder.CreateInBoundsGEP(within, &parameter, indices);
  LoadInst* load = builder.CreateAlignedLoad(field, place, Align(field->getScalarSizeInBits() / 8));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

}  // namespace gridspan::codegen::ptx
