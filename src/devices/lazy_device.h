// A device that is made when it is first needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To make one may take its driver some hundred milliseconds, and memory on the device. A program
// that may never use it does not wait: what the device is, is known without it; who asks for a part
// of it waits.
#pragma once

#include "devices/device.h"
#include "support/background.h"
#include "support/result.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::devices {

class LazyDevice final : public Device {
 public:
  /// Makes the device with that identity.
  using Make = std::function<support::Result<std::unique_ptr<Device>>(DeviceId)>;

  LazyDevice(DeviceFacts facts, Make make) : facts_(std::move(facts)), make_(std::move(make)) {}

  const DeviceFacts& facts() const override { return facts_; }
  DeviceId id() const override { return id_; }
  /// These end the process, with one line, if the device cannot be made.
  DeviceMemory& memory() override { return made().memory(); }
  CommandQueue& queue() override { return made().queue(); }
  DeviceCode& code() override { return made().code(); }
  HostMemory* host_memory() override { return made().host_memory(); }

  // Any thread.
  /// Nobody who asks for a part waits.
  bool is_there() const { return there_.load(std::memory_order_acquire) != nullptr; }
  /// A thread makes it, if it is not made yet.
  void expect();
  /// Waits until it is made: the reason why it cannot be, in one line; empty: it is there.
  std::string lack();
  /// As a queue's. One that is not made yet is told when it is: if it refuses, it cannot be made.
  RunResult set_limit(Limit which, std::size_t value);
  /// The process ends: no thread is making it when this returns, nor will one for `expect`.
  void settle();

 private:
  Device& made();
  void make();
  void take_limits();

  const DeviceFacts facts_;
  const DeviceId id_ = new_device_id();
  const Make make_;
  std::atomic<Device*> there_{nullptr};
  std::mutex mutex_;  // of what follows, and held while it is made
  std::unique_ptr<Device> device_;
  std::string lack_;
  std::map<Limit, std::size_t> limits_;
  bool is_expected_ = false, is_ending_ = false;
  support::Background<bool> making_;
};

/// Whoever asks for a part of the device does not wait for it to be made.
bool is_there(const Device& device);
/// Nor to be told a limit.
RunResult set_limit(Device& device, Limit which, std::size_t value);

/// Those of a program's devices that are lazy.
class LazyDevices {
 public:
  explicit LazyDevices(std::span<const std::unique_ptr<Device>> devices);

  void expect();
  /// One is not made yet.
  bool lacks_some() const;
  /// Of the first that has one.
  std::string lack();
  void settle();

 private:
  const std::vector<LazyDevice*> devices_;
};

}  // namespace gridspan::devices
