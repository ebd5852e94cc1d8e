// LLVM's structural hash does not see opcodes' flags, callees and types of loads: this one adds
// what kernels are likely to differ in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/code_hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Support/xxhash.h"

namespace gridspan::codegen {

using namespace llvm;

std::string code_hash(ArrayRef<Function*> functions, ArrayRef<unsigned> more) {
  std::string bytes;
  auto add = [&](std::uint64_t number) { bytes += utohexstr(number) + ","; };
  for (Function* function : functions) {
    if (function->isDeclaration()) continue;
    add(StructuralHash(*function, /*DetailedHash=*/true));
    for (Instruction& instruction : instructions(*function)) {
      add(instruction.getRawSubclassOptionalData());
      if (auto* call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
        bytes += call->getCalledFunction()->getName();
      if (auto* load = dyn_cast<LoadInst>(&instruction)) add(load->getType()->getTypeID());
    }
  }
  for (unsigned number : more) add(number);
  return utohexstr(xxh3_64bits(bytes), /*LowerCase=*/true, 16);
}

}  // namespace gridspan::codegen
