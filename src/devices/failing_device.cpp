// Counts down, then fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/failing_device.h"

#include "devices/wrapped_device.h"

#include <atomic>
#include <stdexcept>
#include <utility>

namespace gridspan::devices {

namespace {

using Kind = support::InjectedFailure::Kind;

class FailingDevice final : public WrappedDevice {
 public:
  FailingDevice(std::unique_ptr<Device> behind, const support::InjectedFailure& failure)
      : WrappedDevice(std::move(behind)), kind_(failure.kind), left_(failure.after) {}

  void* reserve(std::size_t size) override {
    return fails(Kind::reserve) ? nullptr : WrappedDevice::reserve(size);
  }
  RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent) override {
    if (fails(Kind::copy)) return injected("a copy");
    return WrappedDevice::copy(to, from, extent);
  }
  RunResult copy_all(std::span<const BoxMove> moves) override {
    if (fails(Kind::copy)) return injected("a copy");
    return WrappedDevice::copy_all(moves);
  }
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    if (fails(Kind::copy)) return injected("a fill");
    return WrappedDevice::fill(to, extent, value);
  }
  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    if (fails(Kind::part)) return injected("a kernel");
    if (fails(Kind::thread)) throw std::runtime_error("injected: the device's thread stopped");
    return WrappedDevice::run_part(kernel, launch);
  }
  RunResult begin_copy(const Pitched& to, const Pitched& from, const Extent& extent) override {
    if (fails(Kind::copy)) return injected("a copy");
    return WrappedDevice::begin_copy(to, from, extent);
  }
  RunResult begin_copies(std::span<const BoxMove> moves) override {
    return Device::begin_copies(moves);  // each of them may fail
  }
  RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    if (fails(Kind::copy)) return injected("a fill");
    return WrappedDevice::begin_fill(to, extent, value);
  }
  RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    if (fails(Kind::part)) return injected("a kernel");
    if (fails(Kind::thread)) throw std::runtime_error("injected: the device's thread stopped");
    return WrappedDevice::begin_part(kernel, launch);
  }
  RunResult begin_packed(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                         std::span<const PackedArray> arrays) override {
    if (fails(Kind::part)) return injected("a kernel");
    if (fails(Kind::thread)) throw std::runtime_error("injected: the device's thread stopped");
    return WrappedDevice::begin_packed(kernel, launch, arrays);
  }

  /// Each launch may fail, also of a graph that is begun again.
  std::unique_ptr<WorkGraph> make_graph(std::span<const GraphStep>) override { return nullptr; }

 private:
  bool fails(Kind kind) {
    if (kind != kind_) return false;
    std::uint64_t left = left_.load();
    while (left > 0 && !left_.compare_exchange_weak(left, left - 1)) {
    }
    return left == 0;
  }
  static RunResult injected(const char* what) {
    return {Fault::trap, std::string("error: injected: ") + what + " failed"};
  }

  Kind kind_;
  std::atomic<std::uint64_t> left_;
};

}  // namespace

std::unique_ptr<Device> make_failing(std::unique_ptr<Device> device,
                                     const support::InjectedFailure& failure) {
  return std::make_unique<FailingDevice>(std::move(device), failure);
}

}  // namespace gridspan::devices
