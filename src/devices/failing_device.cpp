// Counts down, then fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/failing_device.h"

#include "devices/decorators.h"

#include <atomic>
#include <stdexcept>
#include <utility>

namespace gridspan::devices {

namespace {

using FailureKind = support::InjectedFailure::Kind;

class Countdown {
 public:
  explicit Countdown(const support::InjectedFailure& failure)
      : kind_(failure.kind), left_(failure.after) {}

  bool fails(FailureKind kind) {
    if (kind != kind_) return false;
    std::uint64_t left = left_.load();
    while (left > 0 && !left_.compare_exchange_weak(left, left - 1)) {
    }
    return left == 0;
  }

 private:
  FailureKind kind_;
  std::atomic<std::uint64_t> left_;
};

RunResult injected(const char* what) {
  return {Fault::trap, std::string("error: injected: ") + what + " failed"};
}

class FailingMemory final : public ForwardedMemory {
 public:
  FailingMemory(DeviceMemory& behind, Countdown& left) : ForwardedMemory(behind), left_(left) {}

  void* reserve(std::size_t size) override {
    return left_.fails(FailureKind::reserve) ? nullptr : ForwardedMemory::reserve(size);
  }
  RunResult copy_all(std::span<const BoxMove> moves) override {
    if (left_.fails(FailureKind::copy)) return injected("a copy");
    return ForwardedMemory::copy_all(moves);
  }
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    if (left_.fails(FailureKind::copy)) return injected("a fill");
    return ForwardedMemory::fill(to, extent, value);
  }

 private:
  Countdown& left_;
};

class FailingQueue final : public ForwardedQueue {
 public:
  FailingQueue(CommandQueue& behind, Countdown& left) : ForwardedQueue(behind), left_(left) {}

  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    if (part_fails()) return injected("a kernel");
    return ForwardedQueue::run_part(kernel, launch);
  }
  RunResult run_lists(std::span<const PartList> lists) override {
    return run_one_by_one(*this, lists);
  }
  RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    if (part_fails()) return injected("a kernel");
    return ForwardedQueue::begin_part(kernel, launch);
  }
  RunResult begin_packed(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                         std::span<const PackedArray> arrays) override {
    if (part_fails()) return injected("a kernel");
    return ForwardedQueue::begin_packed(kernel, launch, arrays);
  }
  /// Each of them may fail.
  RunResult begin_copies(std::span<const BoxMove> moves) override {
    for (const BoxMove& move : moves) {
      if (left_.fails(FailureKind::copy)) return injected("a copy");
      RunResult result = ForwardedQueue::begin_copies({&move, 1});
      if (result.fault != Fault::none) return result;
    }
    return {};
  }
  RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    if (left_.fails(FailureKind::copy)) return injected("a fill");
    return ForwardedQueue::begin_fill(to, extent, value);
  }
  /// Each launch may fail, also of a graph that is begun again.
  WorkGraphs* graphs() override { return nullptr; }

 private:
  bool part_fails() {
    if (left_.fails(FailureKind::part)) return true;
    if (left_.fails(FailureKind::thread))
      throw std::runtime_error("injected: the device's thread stopped");
    return false;
  }

  Countdown& left_;
};

class FailingDevice final : public ForwardedDevice {
 public:
  FailingDevice(std::unique_ptr<Device> behind, const support::InjectedFailure& failure)
      : ForwardedDevice(std::move(behind)), left_(failure) {}

  DeviceMemory& memory() override { return memory_; }
  CommandQueue& queue() override { return queue_; }

 private:
  Countdown left_;
  FailingMemory memory_{ForwardedDevice::memory(), left_};
  FailingQueue queue_{ForwardedDevice::queue(), left_};
};

}  // namespace

std::unique_ptr<Device> make_failing(std::unique_ptr<Device> device,
                                     const support::InjectedFailure& failure) {
  return std::make_unique<FailingDevice>(std::move(device), failure);
}

}  // namespace gridspan::devices
