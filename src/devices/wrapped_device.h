// A device that does what another one does, but for what its subclass says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <memory>
#include <utility>

namespace gridspan::devices {

class WrappedDevice : public Device {
 public:
  explicit WrappedDevice(std::unique_ptr<Device> behind) : behind_(std::move(behind)) {}

  const DeviceFacts& facts() const override { return behind_->facts(); }
  DeviceId id() const override { return behind_->id(); }
  void* allocate(std::size_t size) override { return behind_->allocate(size); }
  void free(void* memory) override { behind_->free(memory); }
  std::uint64_t free_bytes() override { return behind_->free_bytes(); }
  void* reserve(std::size_t size) override { return behind_->reserve(size); }
  void release(void* memory, std::size_t size) override { behind_->release(memory, size); }
  void discard(void* memory, std::size_t size) override { behind_->discard(memory, size); }
  std::size_t memory_unit(std::size_t size) const override { return behind_->memory_unit(size); }
  std::size_t commit(void* memory, std::size_t size) override {
    return behind_->commit(memory, size);
  }
  bool protect(bool on) override { return behind_->protect(on); }
  void adopt_thread() override { behind_->adopt_thread(); }
  RunResult set_limit(Limit which, std::size_t value) override {
    return behind_->set_limit(which, value);
  }
  std::optional<std::size_t> limit(Limit which) override { return behind_->limit(which); }
  RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent) override {
    return behind_->copy(to, from, extent);
  }
  RunResult copy_all(std::span<const BoxMove> moves) override { return behind_->copy_all(moves); }
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    return behind_->fill(to, extent, value);
  }
  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    return behind_->run_part(kernel, launch);
  }
  bool only_begins() const override { return behind_->only_begins(); }
  void use_line(unsigned line) override { behind_->use_line(line); }
  RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    return behind_->begin_part(kernel, launch);
  }
  RunResult begin_packed(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                         std::span<const PackedArray> arrays) override {
    return behind_->begin_packed(kernel, launch, arrays);
  }
  RunResult begin_copy(const Pitched& to, const Pitched& from, const Extent& extent) override {
    return behind_->begin_copy(to, from, extent);
  }
  RunResult begin_copies(std::span<const BoxMove> moves) override {
    return behind_->begin_copies(moves);
  }
  RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    return behind_->begin_fill(to, extent, value);
  }
  std::unique_ptr<WorkGraph> make_graph(std::span<const GraphStep> steps) override {
    return behind_->make_graph(steps);
  }
  bool is_current(const WorkGraph& graph) const override { return behind_->is_current(graph); }
  RunResult begin_graph(WorkGraph& graph) override { return behind_->begin_graph(graph); }
  bool calls_host() const override { return behind_->calls_host(); }
  RunResult begin_call(void (*function)(void*, bool), void* data) override {
    return behind_->begin_call(function, data);
  }
  RunResult begin_after(Device& other, Mark mark) override {
    return behind_->begin_after(other, mark);
  }
  Mark mark(Marking how) override { return behind_->mark(how); }
  Mark mark_time() override { return behind_->mark_time(); }
  std::int64_t time_of(Mark mark) override { return behind_->time_of(mark); }
  bool is_done(Mark mark) override { return behind_->is_done(mark); }
  RunResult finish(Mark mark) override { return behind_->finish(mark); }
  bool runs_packed(const abi::Kernel& kernel, std::uint32_t threads) override {
    return behind_->runs_packed(kernel, threads);
  }
  std::string refusal(const abi::Kernel& kernel, bool whole) override {
    return behind_->refusal(kernel, whole);
  }
  std::uint32_t resident_blocks(const abi::Kernel& kernel, std::uint32_t threads,
                                std::size_t dynamic_shared) override {
    return behind_->resident_blocks(kernel, threads, dynamic_shared);
  }
  std::uint32_t most_threads(const abi::Kernel& kernel, bool whole) override {
    return behind_->most_threads(kernel, whole);
  }
  std::optional<KernelNeeds> needs(const abi::Kernel& kernel) override {
    return behind_->needs(kernel);
  }
  void* variable(const abi::Module& module, std::uint32_t index) override {
    return behind_->variable(module, index);
  }
  void forget(const abi::Module& module) override { behind_->forget(module); }
  void* allocate_managed(std::size_t size) override { return behind_->allocate_managed(size); }
  void free_managed(void* memory) override { behind_->free_managed(memory); }
  void begin_prefetch(void* memory, std::size_t size, bool to_host) override {
    behind_->begin_prefetch(memory, size, to_host);
  }
  void advise(void* memory, std::size_t size, int advice, bool of_host) override {
    behind_->advise(memory, size, advice, of_host);
  }
  void* allocate_host(std::size_t size) override { return behind_->allocate_host(size); }
  void free_host(void* memory) override { behind_->free_host(memory); }
  bool register_host(void* memory, std::size_t size) override {
    return behind_->register_host(memory, size);
  }
  void unregister_host(void* memory) override { behind_->unregister_host(memory); }

 private:
  std::unique_ptr<Device> behind_;
};

}  // namespace gridspan::devices
