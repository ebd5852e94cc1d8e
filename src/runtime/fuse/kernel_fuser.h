// Who has one kernel made of several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/specialise.h"
#include "support/fused_launches.h"

#include <span>

namespace gridspan::runtime {
struct KernelCommand;
}

namespace gridspan::runtime::fuse {

struct FusedAnswer {
  abi::FuseState state = abi::FuseState::refused;
  const abi::Kernel* kernel = nullptr;  // made
  /// made: those that it is for; its parameters are their values in the order of their numbers.
  support::FusedLaunches launches = {};
};

/// Thread safe.
class KernelFuser {
 public:
  virtual ~KernelFuser() = default;
  /// Whether it can be asked. If not, it is getting ready beside; who waits for an answer may be
  /// keeping it from that.
  virtual bool is_ready() { return true; }
  /// Whether there may be any kernel of that kind.
  virtual bool may_fuse(const abi::Module& module) = 0;
  /// Of a module.
  virtual FusedAnswer fuse(const abi::Module& module, const support::FusedLaunches& launches) = 0;
  /// Loads what the device needs for such a kernel, which may take milliseconds, once. False: it
  /// cannot run it, or not well, in the place of `launches`.
  virtual bool load(const abi::Kernel&, std::span<KernelCommand* const> /*launches*/) {
    return true;
  }
};

}  // namespace gridspan::runtime::fuse
