// Several devices of this machine under the planner, without the API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/at_once.h"
#include "devices/decorators.h"
#include "devices/make_devices.h"
#include "plan_fixture.h"
#include "runtime/memory/home_memory.h"
#include "runtime/plan/many_devices.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gridspan::tests {

/// A device with something done to it; all calls reach the device it stands for. All parts are one
/// object, so that tests override what they like of any.
class DeviceInFront : public devices::ForwardedDevice,
                      public devices::ForwardedMemory,
                      public devices::QueueAtOnce {
 public:
  explicit DeviceInFront(std::unique_ptr<devices::Device> behind)
      : ForwardedDevice(std::move(behind)),
        ForwardedMemory(ForwardedDevice::memory()),
        QueueAtOnce(static_cast<devices::DeviceMemory&>(*this)) {}

  devices::DeviceMemory& memory() override { return *this; }
  devices::CommandQueue& queue() override { return *this; }

  void adopt_thread() override { ForwardedDevice::queue().adopt_thread(); }
  devices::RunResult run_part(const abi::Kernel& kernel,
                              const abi::LaunchContext& launch) override {
    return ForwardedDevice::queue().run_part(kernel, launch);
  }
  devices::RunResult set_limit(devices::Limit which, std::size_t value) override {
    return ForwardedDevice::queue().set_limit(which, value);
  }
  std::optional<std::size_t> limit(devices::Limit which) override {
    return ForwardedDevice::queue().limit(which);
  }
};

struct BenchManner {
  bool isolated = false;
  runtime::Policy policy{.weighs_work = false};  // small launches are split, too
  devices::Measured measured = {};
  /// Puts something in front of device `number`.
  std::function<std::unique_ptr<devices::Device>(unsigned number, std::unique_ptr<devices::Device>)>
      wrap = {};
};

/// Keeps what a test made until the process ends: what a test starts may outlive it.
template <class T>
T& kept(std::unique_ptr<T> made) {
  static auto& all = *new std::vector<std::shared_ptr<void>>;
  T& object = *made;
  all.push_back(std::move(made));
  return object;
}

/// Commands are given by the test's thread, as the holder of the queue's role gives them.
class PlanBench {
 public:
  explicit PlanBench(unsigned count, const BenchManner& manner = {})
      : devices_(kept(std::make_unique<Devices>(make(count, manner)))),
        memory_(kept(std::make_unique<runtime::HomeMemory>(*devices_.front(),
                                                           std::uint64_t{1} << 30, true))),
        many(kept(std::make_unique<runtime::ManyDevices>(devices_, memory_.table(), manner.isolated,
                                                         manner.policy, manner.measured))) {
    memory_.on_release([all = &many](std::uintptr_t base) { all->released(base); });
  }

  template <class T>
  T* allocate(std::size_t count) {
    return static_cast<T*>(memory_.allocate(count * sizeof(T), runtime::MemoryKind::device));
  }
  /// As cudaFree: waits first.
  void release(void* memory) {
    finish();
    const auto found = memory_.table().remove(memory, [](runtime::MemoryKind) { return true; });
    ASSERT_TRUE(found.is_live());
    memory_.release(found.allocation);
  }

  void launch(runtime::KernelCommand command) { run(command); }
  void copy(void* to, const void* from, std::size_t bytes) {
    runtime::CopyCommand command{{static_cast<char*>(to), bytes, bytes},
                                 {static_cast<char*>(const_cast<void*>(from)), bytes, bytes},
                                 {bytes, 1, 1},
                                 nullptr};
    run(command);
  }
  void fill(void* to, unsigned char value, std::size_t bytes) {
    runtime::FillCommand command{{static_cast<char*>(to), bytes, bytes}, {bytes, 1, 1}, value};
    run(command);
  }
  template <class T>
  std::vector<T> read(const T* from, std::size_t count) {
    std::vector<T> values(count);
    copy(values.data(), from, count * sizeof(T));
    finish();
    expect_causes();
    return values;
  }
  void finish() { many.finish(sequence_); }
  runtime::Sequence sequence() const { return sequence_; }

 private:
  /// Each byte that moved did so for one cause. No test copies from host to host.
  void expect_causes() const {
    const runtime::Traffic& traffic = many.traffic();
    std::uint64_t caused = 0, moved = 0;
    for (const runtime::CopyCount& cause : traffic.causes) caused += cause.bytes.get();
    for (const runtime::CopyCount* way : {&traffic.from_host, &traffic.to_host, &traffic.between,
                                          &traffic.within, &traffic.merged, &traffic.combined})
      moved += way->bytes.get();
    EXPECT_EQ(caused, moved);
  }

  using Devices = std::vector<std::unique_ptr<devices::Device>>;

  static Devices make(unsigned count, const BenchManner& manner) {
    support::Options options;
    options.devices = *support::parse_devices("cpu:" + std::to_string(count) + "x1");
    auto made = devices::make_devices(options);
    EXPECT_TRUE(made) << made.error().message;
    for (unsigned i = 0; manner.wrap && i < count; ++i) {
      (*made)[i] = manner.wrap(i, std::move((*made)[i]));
    }
    return std::move(*made);
  }
  template <class Command>
  void run(Command& command) {
    many.run(command);
    many.passed(++sequence_);
  }

  Devices& devices_;
  runtime::HomeMemory& memory_;
  runtime::Sequence sequence_ = 0;

 public:
  runtime::ManyDevices& many;
};

}  // namespace gridspan::tests
