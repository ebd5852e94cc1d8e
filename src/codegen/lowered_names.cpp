// The markers' initial values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/lowered_names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace gridspan::codegen {

using namespace llvm;

std::string take_lowered_names(Module& module) {
  constexpr StringRef prefix = "gridspan_lowered_name_";
  std::string text;
  SmallVector<GlobalVariable*> markers;
  for (GlobalVariable& variable : module.globals())
    if (variable.getName().starts_with(prefix) && variable.hasInitializer())
      markers.push_back(&variable);
  removeFromUsedLists(
      module, [&](Constant* used) { return is_contained(markers, used->stripPointerCasts()); });
  for (GlobalVariable* marker : markers) {
    const Value* named = marker->getInitializer()->stripPointerCasts();
    if (isa<GlobalValue>(named))
      text += (marker->getName().drop_front(prefix.size()) + " " + named->getName() + "\n").str();
    marker->eraseFromParent();
  }
  return text;
}

}  // namespace gridspan::codegen
