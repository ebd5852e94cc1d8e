// How long launches of each kernel took, for whoever compares kernels (GRIDSPAN_KERNEL_TIMES).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program run twice launches the same kernels in the same order, so launch by launch times can
// be compared, and of several runs the smallest taken: a sum would count every disturbance.
#pragma once

#include "devices/device.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gridspan::devices {

class KernelTimes {
 public:
  /// Launch i of a kernel counts as one with launch i + most_places.
  static constexpr std::size_t most_places = 4096;

  /// May be called by several devices at once.
  void add(const abi::Kernel& kernel, double nanoseconds);
  /// JSON: the CPU whose code ran, and of each kernel name, module, source line, number of launches
  /// and their times. Parts of a launch on several devices count as launches.
  std::string text() const;

 private:
  struct Times {
    std::uint64_t launches = 0;
    std::vector<double> nanoseconds;
  };
  mutable std::mutex mutex_;
  std::map<const abi::Kernel*, Times> kernels_;
};

/// `device`, whose parts are timed.
std::unique_ptr<Device> make_timed(std::unique_ptr<Device> device, KernelTimes& times);

}  // namespace gridspan::devices
