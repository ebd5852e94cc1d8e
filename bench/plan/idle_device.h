// A device that has address space and does nothing, when it is let.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <sys/mman.h>

#include <atomic>

namespace bench {

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

class IdleDevice final : public gridspan::devices::Device {
 public:
  explicit IdleDevice(const Gate& gate) : gate_(gate) { facts_.workers = 1; }

  const gridspan::devices::DeviceFacts& facts() const override { return facts_; }
  void* allocate(std::size_t size) override { return reserve(size); }
  void free(void*) override {}
  void* reserve(std::size_t size) override {
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
  }
  void release(void* memory, std::size_t size) override { munmap(memory, size); }
  void discard(void*, std::size_t) override {}
  bool protect(bool) override { return false; }
  void adopt_thread() override {}
  void set_stack_bytes(std::size_t) override {}
  gridspan::devices::RunResult copy(const gridspan::devices::Pitched&,
                                    const gridspan::devices::Pitched&,
                                    const gridspan::devices::Extent&) override {
    return {};
  }
  gridspan::devices::RunResult fill(const gridspan::devices::Pitched&,
                                    const gridspan::devices::Extent&, unsigned char) override {
    return {};
  }
  gridspan::devices::RunResult run_part(const gridspan::abi::Kernel&,
                                        const gridspan::abi::LaunchContext&) override {
    gate_.pass();
    return {};
  }

 private:
  const Gate& gate_;
  gridspan::devices::DeviceFacts facts_;
};

}  // namespace bench
