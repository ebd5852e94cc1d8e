// Kernels made of several, as far as GPUs can run them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/fuse/kernel_fuser.h"

#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::runtime::fuse {

/// Code that is loaded by itself has variables of its own: kernels that use some stay apart.
class DeviceFuser final : public KernelFuser {
 public:
  /// Kernels run on all of the devices, as `whole` grids or in parts. The devices outlive this, as
  /// does `maker`.
  DeviceFuser(KernelFuser& maker, std::vector<devices::Device*> devices, bool whole)
      : maker_(maker), devices_(std::move(devices)), whole_(whole) {}

  bool is_ready() override { return maker_.is_ready(); }
  bool may_fuse(const abi::Module& module) override { return maker_.may_fuse(module); }
  FusedAnswer fuse(const abi::Module& module, const support::FusedLaunches& launches) override;
  bool load(const abi::Kernel& kernel, std::span<KernelCommand* const> launches) override;

 private:
  FusedAnswer refuse(const std::string& reason);

  KernelFuser& maker_;
  const std::vector<devices::Device*> devices_;
  const bool whole_;
  std::mutex mutex_;
  std::set<std::string> told_;  // reasons
};

}  // namespace gridspan::runtime::fuse
