// A device without a machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/at_once.h"

#include <atomic>
#include <cstdlib>
#include <optional>

namespace gridspan::tests {

/// Memory from the heap; kernels are not run. All parts are one object, so that tests override what
/// they like of any.
class FakeDevice : public devices::Device,
                   public devices::DeviceMemory,
                   public devices::QueueAtOnce {
 public:
  FakeDevice() : QueueAtOnce(static_cast<devices::DeviceMemory&>(*this)) {}

  const devices::DeviceFacts& facts() const override { return facts_; }
  devices::DeviceId id() const override { return id_; }
  devices::DeviceMemory& memory() override { return *this; }
  devices::CommandQueue& queue() override { return *this; }
  devices::DeviceCode& code() override { return code_; }
  devices::HostMemory* host_memory() override { return nullptr; }

  void* allocate(std::size_t size) override { return reserve(size); }
  Beyond allocate_beyond(std::size_t, std::uint64_t) override { return {}; }
  void free(void* memory) override { release(memory, 0); }
  std::uint64_t free_bytes() override { return unknown_bytes; }
  void* reserve(std::size_t size) override {
    if (fails) return nullptr;
    ++reserved;
    return std::calloc(size, 1);
  }
  void release(void* memory, std::size_t) override {
    --reserved;
    std::free(memory);
  }
  void discard(void*, std::size_t) override {}
  std::size_t memory_unit(std::size_t) const override { return 0; }
  std::size_t commit(void*, std::size_t size) override { return size; }
  bool protect(bool) override { return false; }
  devices::RunResult copy_all(std::span<const devices::BoxMove> moves) override {
    for (const devices::BoxMove& move : moves) devices::copy_box(move.to, move.from, move.extent);
    return {};
  }
  devices::RunResult fill(const devices::Pitched& to, const devices::Extent& extent,
                          unsigned char value) override {
    devices::fill_box(to, extent, value);
    return {};
  }

  void adopt_thread() override {}
  devices::RunResult run_part(const abi::Kernel&, const abi::LaunchContext&) override { return {}; }
  devices::RunResult set_limit(devices::Limit, std::size_t) override { return {}; }
  std::optional<std::size_t> limit(devices::Limit) override { return std::nullopt; }

  std::atomic<int> reserved{0};
  bool fails = false;

 protected:
  devices::DeviceFacts facts_{};

 private:
  const devices::DeviceId id_ = devices::new_device_id();
  devices::RunsEveryKernel code_;
};

}  // namespace gridspan::tests
