// Made once, under a lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/lazy_device.h"

#include "support/format.h"
#include "support/log.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <system_error>

namespace gridspan::devices {

/// The lock is held.
void LazyDevice::make() {
  if (device_ || !lack_.empty()) return;
  const std::int64_t begin = now_nanoseconds();
  try {
    auto made = make_(id_);
    if (made)
      device_ = std::move(*made);
    else
      lack_ = made.error().message;
    take_limits();
  } catch (const std::exception& failure) {
    lack_ = std::string("cannot make a device: ") + failure.what();
  }
  if (!lack_.empty()) device_.reset();
  there_.store(device_.get(), std::memory_order_release);
  support::log(support::LogLevel::debug, "devices: %s %s in %.0f ms", facts_.place.c_str(),
               device_ ? "is made" : "cannot be made",
               1e-6 * static_cast<double>(now_nanoseconds() - begin));
}

/// Those it was told before.
void LazyDevice::take_limits() {
  for (const auto& [which, value] : limits_) {
    if (!device_) return;
    const RunResult told = device_->queue().set_limit(which, value);
    if (told.fault == Fault::none) continue;
    lack_ = support::formatted("%s refuses a limit of %zu: %s", facts_.place.c_str(), value,
                               told.message.c_str());
    return;
  }
}

Device& LazyDevice::made() {
  if (Device* const there = there_.load(std::memory_order_acquire)) return *there;
  if (const std::string why = lack(); !why.empty()) {
    std::fprintf(stderr, "gridspan: error: %s\n", why.c_str());
    std::_Exit(EXIT_FAILURE);
  }
  return *there_.load(std::memory_order_acquire);
}

void LazyDevice::expect() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || is_expected_ || device_ || !lack_.empty()) return;  // or it is being made
  is_expected_ = true;
  try {
    making_ = support::Background<bool>([this] {
      const std::scoped_lock lock(mutex_);
      if (!is_ending_) make();
      return true;
    });
  } catch (const std::system_error&) {
    // Without a thread for it, it is made when it is needed.
  }
}

std::string LazyDevice::lack() {
  const std::scoped_lock lock(mutex_);
  make();
  return lack_;
}

void LazyDevice::settle() {
  const std::scoped_lock lock(mutex_);
  is_ending_ = true;
}

RunResult LazyDevice::set_limit(Limit which, std::size_t value) {
  const std::scoped_lock lock(mutex_);
  if (device_) return device_->queue().set_limit(which, value);
  limits_[which] = value;
  return {};
}

RunResult set_limit(Device& device, Limit which, std::size_t value) {
  if (auto* const lazy = dynamic_cast<LazyDevice*>(&device)) return lazy->set_limit(which, value);
  return device.queue().set_limit(which, value);
}

bool is_there(const Device& device) {
  const auto* const lazy = dynamic_cast<const LazyDevice*>(&device);
  return !lazy || lazy->is_there();
}

namespace {

std::vector<LazyDevice*> lazy_ones_of(std::span<const std::unique_ptr<Device>> devices) {
  std::vector<LazyDevice*> lazy;
  for (const auto& device : devices)
    if (auto* const one = dynamic_cast<LazyDevice*>(device.get())) lazy.push_back(one);
  return lazy;
}

}  // namespace

LazyDevices::LazyDevices(std::span<const std::unique_ptr<Device>> devices)
    : devices_(lazy_ones_of(devices)) {}

void LazyDevices::expect() {
  for (LazyDevice* device : devices_) device->expect();
}

bool LazyDevices::lacks_some() const {
  return !std::ranges::all_of(devices_, &LazyDevice::is_there);
}

std::string LazyDevices::lack() {
  for (LazyDevice* device : devices_)
    if (std::string why = device->lack(); !why.empty()) return why;
  return {};
}

void LazyDevices::settle() {
  for (LazyDevice* device : devices_) device->settle();
}

}  // namespace gridspan::devices
