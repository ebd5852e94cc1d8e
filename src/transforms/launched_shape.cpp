// Leaves alone those whose work is in loops over data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/launched_shape.h"

#include "abi/launch.h"
#include "transforms/sync_points.h"
#include "transforms/usual_rows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

bool is_row_length(const Instruction& instruction) {
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ntid_x;
}

/// `i += blockDim.x`, or by a multiple of it.
bool is_step_of_loop(const Instruction& size) {
  SmallVector<const User*> open(size.users());
  while (!open.empty()) {
    auto* user = cast<Instruction>(open.pop_back_val());
    if (isa<ZExtInst>(user) || user->getOpcode() == Instruction::Mul)
      append_range(open, user->users());
    if (user->getOpcode() != Instruction::Add) continue;
    for (const Use& operand : user->operands())
      if (auto* phi = dyn_cast<PHINode>(operand); phi && is_contained(phi->incoming_values(), user))
        return true;
  }
  return false;
}

}  // namespace

BlockShape launched_shape(Function& kernel, ArrayRef<BlockShape> launches) {
  constexpr std::uint32_t shortest = 8;
  if (launches.empty() || size_becomes_floating(kernel, true)) return {};
  // Such loops have as many rounds as there is data, and are vectors already.
  std::uint32_t unit = shortest;
  for (Instruction& instruction : instructions(kernel)) {
    if (is_row_length(instruction) && is_step_of_loop(instruction)) return {};
    const auto point = as_sync_point(instruction);
    if (point && !abi::is_block_wide(point->kind)) unit = abi::warp_size;
  }
  auto* found = find_if(launches, [unit](const BlockShape& one) { return one[0] % unit == 0; });
  return found == launches.end() ? BlockShape{} : *found;
}

}  // namespace gridspan::transforms
