// Parts of a device that executes commands in the caller's thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

namespace gridspan::devices {

/// What is begun is done. A device says what it runs, for which thread, and which limits it has.
class QueueAtOnce : public CommandQueue {
 public:
  /// Copies and fills are the memory's.
  explicit QueueAtOnce(DeviceMemory& memory) : memory_(memory) {}

  RunResult run_lists(std::span<const PartList> lists) override {
    return run_one_by_one(*this, lists);
  }
  void use_line(unsigned) override {}
  RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    return run_part(kernel, launch);
  }
  RunResult begin_packed(const abi::Kernel&, const abi::LaunchContext&,
                         std::span<const PackedArray>) override {
    return {Fault::misuse, "error: the device has no kernels for packed boxes"};
  }
  RunResult begin_copies(std::span<const BoxMove> moves) override {
    return memory_.copy_all(moves);
  }
  RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    return memory_.fill(to, extent, value);
  }
  WorkGraphs* graphs() override { return nullptr; }
  HostCalls* host_calls() override { return nullptr; }
  RunResult begin_after(Device& other, Mark mark) override { return other.queue().finish(mark); }
  Mark mark(Marking) override { return 0; }
  Mark mark_time() override { return static_cast<Mark>(now_nanoseconds()); }
  std::int64_t time_of(Mark mark) override { return static_cast<std::int64_t>(mark); }
  bool is_done(Mark) override { return true; }
  RunResult finish(Mark) override { return {}; }

 private:
  DeviceMemory& memory_;
};

/// Of a device that runs every kernel's CPU code, whose variables are where LaunchContext says.
class RunsEveryKernel : public DeviceCode {
 public:
  std::string refusal(const abi::Kernel&, bool) override { return {}; }
  std::uint32_t most_threads(const abi::Kernel&, bool) override { return abi::max_block_threads; }
  std::optional<KernelNeeds> needs(const abi::Kernel&) override { return std::nullopt; }
  std::uint32_t resident_blocks(const abi::Kernel&, std::uint32_t, std::size_t) override {
    return any_blocks;
  }
  bool runs_packed(const abi::Kernel&, std::uint32_t) override { return false; }
  void* variable(const abi::Module&, std::uint32_t) override { return nullptr; }
  void expect(std::vector<const abi::Module*>) override {}
  void forget(const abi::Module&) override {}
};

}  // namespace gridspan::devices
