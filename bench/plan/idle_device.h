// A device that has address space and does nothing, when it is let.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/at_once.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <optional>

namespace bench {

using gridspan::devices::RunResult;

/// While closed, devices stand still at their next part.
class Gate {
 public:
  void close() { closed_.store(true); }
  void open() {
    closed_.store(false);
    closed_.notify_all();
  }
  void pass() const { closed_.wait(true); }

 private:
  std::atomic<bool> closed_{false};
};

class IdleMemory final : public gridspan::devices::DeviceMemory {
 public:
  void* allocate(std::size_t size) override { return reserve(size); }
  Beyond allocate_beyond(std::size_t, std::uint64_t) override { return {}; }
  void free(void*) override {}
  std::uint64_t free_bytes() override { return unknown_bytes; }
  void* reserve(std::size_t size) override {
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
  }
  void release(void* memory, std::size_t size) override { munmap(memory, size); }
  void discard(void*, std::size_t) override {}
  std::size_t memory_unit(std::size_t) const override { return 0; }
  std::size_t commit(void*, std::size_t size) override { return size; }
  bool protect(bool) override { return false; }
  RunResult copy_all(std::span<const gridspan::devices::BoxMove>) override { return {}; }
  RunResult fill(const gridspan::devices::Pitched&, const gridspan::devices::Extent&,
                 unsigned char) override {
    return {};
  }
};

class IdleQueue final : public gridspan::devices::QueueAtOnce {
 public:
  IdleQueue(gridspan::devices::DeviceMemory& memory, const Gate& gate)
      : QueueAtOnce(memory), gate_(gate) {}

  void adopt_thread() override {}
  RunResult run_part(const gridspan::abi::Kernel&, const gridspan::abi::LaunchContext&) override {
    gate_.pass();
    return {};
  }
  RunResult set_limit(gridspan::devices::Limit, std::size_t) override { return {}; }
  std::optional<std::size_t> limit(gridspan::devices::Limit) override { return std::nullopt; }

 private:
  const Gate& gate_;
};

class IdleDevice final : public gridspan::devices::Device {
 public:
  explicit IdleDevice(const Gate& gate) : queue_(memory_, gate) { facts_.workers = 1; }

  const gridspan::devices::DeviceFacts& facts() const override { return facts_; }
  gridspan::devices::DeviceId id() const override { return id_; }
  gridspan::devices::DeviceMemory& memory() override { return memory_; }
  gridspan::devices::CommandQueue& queue() override { return queue_; }
  gridspan::devices::DeviceCode& code() override { return code_; }
  gridspan::devices::HostMemory* host_memory() override { return nullptr; }

 private:
  const gridspan::devices::DeviceId id_ = gridspan::devices::new_device_id();
  gridspan::devices::DeviceFacts facts_;
  IdleMemory memory_;
  IdleQueue queue_;
  gridspan::devices::RunsEveryKernel code_;
};

}  // namespace bench
