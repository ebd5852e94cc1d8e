// Which kernels an error may come from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "devices/device.h"

#include <mutex>
#include <vector>

namespace gridspan::devices::cuda {

/// The driver tells of a kernel's error when somebody waits, and not of which kernel. Thread safe.
class Suspects {
 public:
  /// It is begun now; `is_idle`: no other runs.
  void add(const abi::Kernel& kernel, bool is_idle);
  /// The kernels of the module are gone.
  void forget(const abi::Module& module);
  /// The result with the names of those that may have caused it, if it is a fault.
  RunResult blame(RunResult result) const;

 private:
  static constexpr std::size_t most = 4;

  mutable std::mutex mutex_;
  std::vector<const abi::Kernel*> kernels_;  // different ones, at most `most`
  bool has_more_ = false;
};

}  // namespace gridspan::devices::cuda
