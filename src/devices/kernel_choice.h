// Who may put another form of a kernel in its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"

#include <cstdint>

namespace gridspan::devices {

/// CPU devices ask it, several threads at once.
class KernelChoice {
 public:
  virtual ~KernelChoice() = default;
  /// What to run at this launch: `kernel`, or one that computes the same from the same.
  virtual const abi::Kernel& choose(const abi::Kernel& kernel,
                                    const abi::LaunchContext& launch) = 0;
  /// The part that `used` was chosen for took so long.
  virtual void ran(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                   const abi::Kernel& used, std::uint64_t nanoseconds) = 0;
};

}  // namespace gridspan::devices
