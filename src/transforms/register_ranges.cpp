// The limits of CUDA's compute capabilities.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/register_ranges.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <algorithm>
#include <optional>

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// First and last value.
struct Limits {
  std::uint64_t least, most;
};

constexpr std::uint64_t most_threads = 1024, most_layers = 64, blocks_x = 0x7fff'ffff,
                        blocks = 0xffff;

/// `threads`: of a block, at most.
std::optional<Limits> limits_of(Intrinsic::ID id, std::uint64_t threads) {
  const std::uint64_t layers = std::min(threads, most_layers);
  switch (id) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      return Limits{0, threads - 1};
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return Limits{0, layers - 1};
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return Limits{1, threads};
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return Limits{1, layers};
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      return Limits{0, blocks_x - 1};
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      return Limits{0, blocks - 1};
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      return Limits{1, blocks_x};
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
      return Limits{1, blocks};
    default:
      return std::nullopt;
  }
}

void note_ranges(Function& function, std::uint64_t threads) {
  for (Instruction& instruction : instructions(function)) {
    auto* read = dyn_cast<IntrinsicInst>(&instruction);
    auto limits = read ? limits_of(read->getIntrinsicID(), threads) : std::nullopt;
    if (!limits) continue;
    ConstantRange range(APInt(32, limits->least), APInt(32, limits->most + 1));
    read->addRetAttr(Attribute::get(function.getContext(), Attribute::Range, range));
  }
}

}  // namespace

void note_register_ranges(Module& module) {
  for (Function& function : module) note_ranges(function, most_threads);
}

void note_launch_bounds(Function& kernel, std::uint32_t threads) {
  note_ranges(kernel, std::min<std::uint64_t>(threads, most_threads));
}

}  // namespace gridspan::transforms
