// Kept as a module flag's kin: !gridspan.block = !{!{i32 x, i32 y, i32 z}}.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/known_shape.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

namespace gridspan::transforms {

using namespace llvm;

static constexpr StringRef shape_name = "gridspan.block";

void set_known_shape(Module& module, const BlockShape& shape) {
  SmallVector<Metadata*, 3> sizes;
  for (std::uint32_t size : shape)
    sizes.push_back(
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(module.getContext()), size)));
  NamedMDNode* node = module.getOrInsertNamedMetadata(shape_name);
  node->clearOperands();
  node->addOperand(MDNode::get(module.getContext(), sizes));
}

std::optional<BlockShape> known_shape(const Module& module) {
  const NamedMDNode* node = module.getNamedMetadata(shape_name);
  if (!node) return std::nullopt;
  BlockShape shape{};
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    shape[axis] = static_cast<std::uint32_t>(
        mdconst::extract<ConstantInt>(node->getOperand(0)->getOperand(axis))->getZExtValue());
  return shape;
}

}  // namespace gridspan::transforms
