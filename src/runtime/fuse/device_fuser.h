// Kernels made of several, as far as a GPU can run them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_code.h"
#include "runtime/fuse/kernel_fuser.h"

#include <mutex>
#include <set>
#include <string>

namespace gridspan::runtime::fuse {

/// Code that is loaded by itself has variables of its own: kernels that use some stay apart.
class DeviceFuser final : public KernelFuser {
 public:
  /// Both outlive this.
  DeviceFuser(KernelFuser& maker, devices::DeviceCode& code) : maker_(maker), code_(code) {}

  bool is_ready() override { return maker_.is_ready(); }
  bool may_fuse(const abi::Module& module) override { return maker_.may_fuse(module); }
  FusedAnswer fuse(const abi::Module& module, const support::FusedLaunches& launches) override;
  bool load(const abi::Kernel& kernel) override;

 private:
  FusedAnswer refuse(const std::string& reason);

  KernelFuser& maker_;
  devices::DeviceCode& code_;
  std::mutex mutex_;
  std::set<std::string> told_;  // reasons
};

}  // namespace gridspan::runtime::fuse
