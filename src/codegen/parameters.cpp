// Offsets by types and alignments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/parameters.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

namespace gridspan::codegen {

using namespace llvm;

std::vector<KernelParameter> parameters_of(const Function& kernel) {
  const DataLayout& layout = kernel.getParent()->getDataLayout();
  std::vector<KernelParameter> parameters;
  std::uint32_t offset = 0;
  for (const Argument& argument : kernel.args()) {
    Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    Align align = argument.hasByValAttr() ? argument.getParamAlign().valueOrOne()
                                          : layout.getABITypeAlign(type);
    auto size = static_cast<std::uint32_t>(argument.hasByValAttr() ? layout.getTypeAllocSize(type)
                                                                   : layout.getTypeStoreSize(type));
    offset = static_cast<std::uint32_t>(alignTo(offset, align));
    parameters.push_back(
        {size, static_cast<std::uint32_t>(align.value()), offset, type->isPointerTy()});
    offset += size;
  }
  return parameters;
}

}  // namespace gridspan::codegen
