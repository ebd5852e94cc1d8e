// A device that does what another one does, but for one of its parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decorator derives from the part that it changes and overrides functions of it; its device
// derives from ForwardedDevice and answers with that part in place of the original. A function that
// is added to a part has to be forwarded here, or this does not compile.
#pragma once

#include "devices/device.h"

#include <memory>
#include <type_traits>
#include <utility>

namespace gridspan::devices {

class ForwardedMemory : public DeviceMemory {
 public:
  explicit ForwardedMemory(DeviceMemory& behind) : behind_(behind) {}

  void* allocate(std::size_t size) override { return behind_.allocate(size); }
  Beyond allocate_beyond(std::size_t size, std::uint64_t host_bytes) override {
    return behind_.allocate_beyond(size, host_bytes);
  }
  void free(void* memory) override { behind_.free(memory); }
  std::uint64_t free_bytes() override { return behind_.free_bytes(); }
  void* reserve(std::size_t size) override { return behind_.reserve(size); }
  void release(void* memory, std::size_t size) override { behind_.release(memory, size); }
  void discard(void* memory, std::size_t size) override { behind_.discard(memory, size); }
  std::size_t memory_unit(std::size_t size) const override { return behind_.memory_unit(size); }
  std::size_t commit(void* memory, std::size_t size) override {
    return behind_.commit(memory, size);
  }
  bool protect(bool on) override { return behind_.protect(on); }
  RunResult copy_all(std::span<const BoxMove> moves) override { return behind_.copy_all(moves); }
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    return behind_.fill(to, extent, value);
  }

 private:
  DeviceMemory& behind_;
};
static_assert(!std::is_abstract_v<ForwardedMemory>);

class ForwardedQueue : public CommandQueue {
 public:
  explicit ForwardedQueue(CommandQueue& behind) : behind_(behind) {}

  void adopt_thread() override { behind_.adopt_thread(); }
  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    return behind_.run_part(kernel, launch);
  }
  RunResult run_lists(std::span<const PartList> lists) override { return behind_.run_lists(lists); }
  void use_line(unsigned line) override { behind_.use_line(line); }
  RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    return behind_.begin_part(kernel, launch);
  }
  RunResult begin_packed(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                         std::span<const PackedArray> arrays) override {
    return behind_.begin_packed(kernel, launch, arrays);
  }
  RunResult begin_copies(std::span<const BoxMove> moves) override {
    return behind_.begin_copies(moves);
  }
  RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    return behind_.begin_fill(to, extent, value);
  }
  WorkGraphs* graphs() override { return behind_.graphs(); }
  HostCalls* host_calls() override { return behind_.host_calls(); }
  RunResult begin_after(Device& other, Mark mark) override {
    return behind_.begin_after(other, mark);
  }
  Mark mark(Marking how) override { return behind_.mark(how); }
  Mark mark_time() override { return behind_.mark_time(); }
  std::int64_t time_of(Mark mark) override { return behind_.time_of(mark); }
  bool is_done(Mark mark) override { return behind_.is_done(mark); }
  RunResult finish(Mark mark) override { return behind_.finish(mark); }
  RunResult set_limit(Limit which, std::size_t value) override {
    return behind_.set_limit(which, value);
  }
  std::optional<std::size_t> limit(Limit which) override { return behind_.limit(which); }

 private:
  CommandQueue& behind_;
};
static_assert(!std::is_abstract_v<ForwardedQueue>);

class ForwardedDevice : public Device {
 public:
  explicit ForwardedDevice(std::unique_ptr<Device> behind) : behind_(std::move(behind)) {}

  const DeviceFacts& facts() const override { return behind_->facts(); }
  DeviceId id() const override { return behind_->id(); }
  DeviceMemory& memory() override { return behind_->memory(); }
  CommandQueue& queue() override { return behind_->queue(); }
  DeviceCode& code() override { return behind_->code(); }
  HostMemory* host_memory() override { return behind_->host_memory(); }

 private:
  std::unique_ptr<Device> behind_;
};
static_assert(!std::is_abstract_v<ForwardedDevice>);

}  // namespace gridspan::devices
