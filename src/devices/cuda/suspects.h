// Which kernels an error may come from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "devices/cuda/timeline.h"
#include "devices/device.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace gridspan::devices::cuda {

/// Of one GPU: the driver tells of a kernel's error when anybody waits or begins something there,
/// and not of which kernel. Thread safe.
class Suspects {
 public:
  /// What devices on the GPU begin on.
  void watch(const Timeline& timeline);
  void forget(const Timeline& timeline);
  /// It is begun now.
  void add(const abi::Kernel& kernel);
  /// The kernels of the module are gone.
  void forget(const abi::Module& module);
  /// The result with the names of those that may have caused it, if it is a fault.
  RunResult blame(RunResult result) const;

 private:
  static constexpr std::size_t most = 4;

  bool is_idle() const;
  void note_only();

  mutable std::mutex mutex_;
  std::vector<const Timeline*> timelines_;
  std::vector<const abi::Kernel*> kernels_;  // different ones, at most `most`
  bool has_more_ = false;
  /// Of `kernels_` if it has one alone, which need not be added again.
  std::atomic<const abi::Kernel*> only_{nullptr};
};

/// Never destroyed.
Suspects& suspects_on(Gpu gpu);

}  // namespace gridspan::devices::cuda
