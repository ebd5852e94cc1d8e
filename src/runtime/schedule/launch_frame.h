// What a launch of one device hands to its kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/about_arguments.h"
#include "runtime/schedule/command.h"

#include <vector>

namespace gridspan::runtime {

/// The context of one launch at a time, and what it points to. The command outlives its use.
/// Without `allocations`, nothing is known of the arguments.
class LaunchFrame {
 public:
  explicit LaunchFrame(const AllocationTable* allocations = nullptr) : allocations_(allocations) {
    values_.reserve(64);
  }

  /// Of the whole grid. Holds until the next call.
  abi::LaunchContext of(const KernelCommand& command);

 private:
  /// Of the arguments in `values_`. Looks only for kernels to which it makes a difference.
  AboutArguments look_at_arguments(const abi::Kernel& kernel) const;

  const AllocationTable* allocations_;
  std::vector<const void*> values_;  // argument pointers
};

}  // namespace gridspan::runtime
