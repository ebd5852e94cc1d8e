// A device that belongs to somebody else, for who wants to own all of his.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

namespace gridspan::devices {

class BorrowedDevice final : public Device {
 public:
  /// `behind` outlives this.
  explicit BorrowedDevice(Device& behind) : behind_(behind) {}

  const DeviceFacts& facts() const override { return behind_.facts(); }
  DeviceId id() const override { return behind_.id(); }
  DeviceMemory& memory() override { return behind_.memory(); }
  CommandQueue& queue() override { return behind_.queue(); }
  DeviceCode& code() override { return behind_.code(); }
  HostMemory* host_memory() override { return behind_.host_memory(); }

 private:
  Device& behind_;
};

}  // namespace gridspan::devices
