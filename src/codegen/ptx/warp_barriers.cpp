// Two instructions for each step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/warp_barriers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

static void add_barrier(Instruction& before) {
  IRBuilder<> builder(&before);
  Value* lanes = builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {}, {});
  builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {lanes});
}

void add_warp_barriers(Module& module, const std::set<transforms::StepPlace>& places) {
  transforms::insert_warp_steps(module, places, add_barrier);
}

}  // namespace gridspan::codegen::ptx
