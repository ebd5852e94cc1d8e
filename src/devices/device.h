// The one interface behind which every kind of device hides, in four parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device runs commands when it is told to, on the caller's thread (plus its own workers), and
// returns when the command is done; some devices can also only begin commands, on lines. Streams
// and the order of commands are the schedule's business (runtime/schedule), API errors the API's.
//
//   memory()       blocks, ranges, copies and fills that are done when they return
//   queue()        parts, copies and fills that may only be begun; marks, waits, limits
//   code()         what the device can run, and its code's needs
//   host_memory()  host memory that the device reaches; null where all of it is in reach
//
// No function has a default: a device that can't do something says so. Decorators (decorators.h)
// replace one part and pass on the others.
#pragma once

#include "devices/command_queue.h"
#include "devices/device_code.h"
#include "devices/device_facts.h"
#include "devices/device_memory.h"
#include "devices/host_memory.h"

#include <atomic>
#include <cstdint>

namespace gridspan::devices {

/// Which device of the process it is. A device that wraps another one answers with the other's.
enum class DeviceId : std::uint32_t {};

inline DeviceId new_device_id() {
  static std::atomic<std::uint32_t> made{0};
  return DeviceId{made++};
}

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceFacts& facts() const = 0;
  /// Identifies the device wherever one is to be recognised: its address may be a wrapper's.
  virtual DeviceId id() const = 0;

  virtual DeviceMemory& memory() = 0;
  virtual CommandQueue& queue() = 0;
  virtual DeviceCode& code() = 0;
  /// Null: the host reaches the device's memory, and the device the host's.
  virtual HostMemory* host_memory() = 0;
};

}  // namespace gridspan::devices
