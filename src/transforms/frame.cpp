// Frame layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/frame.h"

#include "transforms/frame_arrays.h"
#include "transforms/own_tiles.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

using namespace llvm;

FrameLayout lay_out_frame(ArrayRef<AllocaInst*> variables) {
  SmallVector<AllocaInst*> ordered(variables);
  DenseMap<AllocaInst*, std::size_t> number;  // ties keep their order: layouts are reproducible
  for (auto [i, variable] : enumerate(ordered)) number[variable] = i;
  llvm::sort(ordered, [&](AllocaInst* a, AllocaInst* b) {
    if (a->getAlign() != b->getAlign()) return a->getAlign() > b->getAlign();
    return number.at(a) < number.at(b);
  });
  FrameLayout layout;
  for (AllocaInst* variable : ordered) {
    const DataLayout& data = variable->getModule()->getDataLayout();
    std::uint64_t size = variable->getAllocationSize(data).value_or(TypeSize::getFixed(0));
    size = alignTo(std::max<std::uint64_t>(size, 1), variable->getAlign());
    const std::uint64_t element = is_own_tile(*variable) ? 0 : bytes_of_elements(*variable);
    layout.slots[variable] = {layout.bytes, size, element};
    layout.bytes += size;
  }
  return layout;
}

}  // namespace gridspan::transforms
