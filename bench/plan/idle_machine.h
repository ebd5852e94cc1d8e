// The planner over idle devices, without the API: whoever launches is the planning thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "idle_device.h"
#include "runtime/api/registry.h"
#include "runtime/memory/home_memory.h"
#include "runtime/plan/many_devices.h"

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <vector>

namespace bench {

namespace abi = gridspan::abi;
namespace runtime = gridspan::runtime;

/// Of this thread.
inline double cpu_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

inline abi::Dim blocks_of(std::int64_t x, std::int64_t y, const abi::Dim& block) {
  const auto count = [](std::int64_t n, std::uint32_t b) {
    return static_cast<std::uint32_t>((n + b - 1) / b);
  };
  return {count(x, block.x), count(y, block.y), 1};
}

class IdleMachine {
 public:
  explicit IdleMachine(unsigned count, const gridspan::devices::Measured& measured = {}) {
    for (unsigned i = 0; i < count; ++i) devices_.push_back(std::make_unique<IdleDevice>(gate_));
    memory_ = new runtime::HomeMemory(*devices_.front(), std::uint64_t{1} << 40, true);
    many_ = new runtime::ManyDevices(devices_, memory_->table(), false, {}, measured);
  }

  unsigned devices() const { return static_cast<unsigned>(devices_.size()); }
  /// Memory that the program has written.
  void* allocate(std::size_t bytes) {
    void* const memory = memory_->allocate(bytes, runtime::MemoryKind::device);
    runtime::FillCommand fill{{static_cast<char*>(memory), bytes, bytes}, {bytes, 1, 1}, 0};
    many_->run(fill);
    many_->passed(++sequence_);
    return memory;
  }

  /// Of the kernel that the host knows by `handle`.
  template <class... Values>
  void launch(const void* handle, const abi::Dim& grid, const abi::Dim& block, Values... given) {
    void* values[] = {&given...};
    runtime::KernelCommand command(*runtime::registry().find_function(handle)->kernel, {},
                                   {grid, block, 0}, values);
    many_->run(command);
    many_->passed(++sequence_);
  }
  void finish() { many_->finish(sequence_); }

  /// us that `launches` take while the devices stand still at what `first` launches. All their work
  /// must fit into the devices' queues.
  double running_ahead(const std::function<void()>& first, const std::function<void()>& launches) {
    gate_.close();
    first();
    const double start = cpu_microseconds();
    launches();
    const double taken = cpu_microseconds() - start;
    gate_.open();
    finish();
    return taken;
  }

 private:
  Gate gate_;
  std::vector<std::unique_ptr<gridspan::devices::Device>> devices_;
  runtime::HomeMemory* memory_;  // these are never destroyed
  runtime::ManyDevices* many_;
  runtime::Sequence sequence_ = 0;
};

}  // namespace bench
