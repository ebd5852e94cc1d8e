// The fault that ends a program's use of the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <atomic>

namespace gridspan::runtime {

/// Keeps the first fault for ever, as CUDA does, and tells the person about it. Thread safe.
class FirstFault {
 public:
  devices::Fault get() const { return fault_.load(std::memory_order_acquire); }
  bool is_set() const { return get() != devices::Fault::none; }
  void report(const devices::RunResult& result);
  /// Why a launch was refused since this was asked last; none is. Such faults are not kept.
  devices::Fault take_refusal();

 private:
  std::atomic<devices::Fault> fault_{devices::Fault::none}, refusal_{devices::Fault::none};
};

}  // namespace gridspan::runtime
