// Counts down, then fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/failing_device.h"

#include <atomic>
#include <stdexcept>
#include <utility>

namespace gridspan::devices {

namespace {

using Kind = support::InjectedFailure::Kind;

class FailingDevice final : public Device {
 public:
  FailingDevice(std::unique_ptr<Device> behind, const support::InjectedFailure& failure)
      : behind_(std::move(behind)), kind_(failure.kind), left_(failure.after) {}

  const DeviceFacts& facts() const override { return behind_->facts(); }
  void* allocate(std::size_t size) override { return behind_->allocate(size); }
  void free(void* memory) override { behind_->free(memory); }
  void* reserve(std::size_t size) override {
    return fails(Kind::reserve) ? nullptr : behind_->reserve(size);
  }
  void release(void* memory, std::size_t size) override { behind_->release(memory, size); }
  void discard(void* memory, std::size_t size) override { behind_->discard(memory, size); }
  bool protect(bool on) override { return behind_->protect(on); }
  void adopt_thread() override { behind_->adopt_thread(); }
  void set_stack_bytes(std::size_t bytes) override { behind_->set_stack_bytes(bytes); }

  RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent) override {
    if (fails(Kind::copy)) return injected("a copy");
    return behind_->copy(to, from, extent);
  }
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    if (fails(Kind::copy)) return injected("a fill");
    return behind_->fill(to, extent, value);
  }
  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    if (fails(Kind::part)) return injected("a kernel");
    if (fails(Kind::thread)) throw std::runtime_error("injected: the device's thread stopped");
    return behind_->run_part(kernel, launch);
  }

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

  std::unique_ptr<Device> behind_;
  Kind kind_;
  std::atomic<std::uint64_t> left_;
};

}  // namespace

std::unique_ptr<Device> make_failing(std::unique_ptr<Device> device,
                                     const support::InjectedFailure& failure) {
  return std::make_unique<FailingDevice>(std::move(device), failure);
}

}  // namespace gridspan::devices
