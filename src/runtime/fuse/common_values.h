// Arguments of launches that are to be one kernel: which are equal, and what they point to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/command.h"
#include "support/fused_launches.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridspan::runtime::fuse {

struct CommonValues {
  support::FusedLaunches launches;  // `dead` is empty
  struct Source {
    std::uint32_t launch, parameter;
  };
};

/// By number, an argument that has the value.
std::vector<CommonValues::Source> sources_of(const support::FusedLaunches& launches);

/// Equal pointers to arrays have one number, and equal integers that the kernels' models ask for:
/// other arguments are equal by chance, and may differ in launches that a plan is used again for.
/// Kernels have models; shapes are equal.
CommonValues common_values(std::span<KernelCommand* const> launches);

struct TouchedMemory {
  /// Why the proof for launches of these values does not hold here: an assumption of a model, or
  /// arrays of other numbers that may have bytes in common; empty: it holds.
  std::string refusal;
  /// By number, the bases of buffers that arrays of that number lie in, which need not be where the
  /// pointer leads; 0: in none.
  std::vector<std::vector<std::uintptr_t>> buffers;
};

TouchedMemory touched_memory(std::span<KernelCommand* const> launches, const CommonValues& values,
                             const AllocationTable& allocations);

}  // namespace gridspan::runtime::fuse
