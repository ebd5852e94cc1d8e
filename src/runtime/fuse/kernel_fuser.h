// Who has one kernel made of several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/specialise.h"

#include <string>

namespace gridspan::runtime::fuse {

/// Thread safe.
class KernelFuser {
 public:
  virtual ~KernelFuser() = default;
  /// Whether it can be asked. If not, it is getting ready beside; who waits for an answer may be
  /// keeping it from that.
  virtual bool is_ready() { return true; }
  /// Whether there may be any kernel of that kind.
  virtual bool may_fuse(const abi::Module& module) = 0;
  /// Of a module, for `launches` (support/fused_launches.h).
  virtual abi::FuseAnswer fuse(const abi::Module& module, const std::string& launches) = 0;
};

}  // namespace gridspan::runtime::fuse
