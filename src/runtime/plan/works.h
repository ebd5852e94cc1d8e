// The kinds of work a device is given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of it runs on the device's own queue; once something has failed, nothing runs any more.
#pragma once

#include "devices/device.h"
#include "runtime/memory/copy.h"
#include "runtime/regions/box_copies.h"
#include "runtime/schedule/command.h"
#include "runtime/schedule/device_queue.h"
#include "runtime/schedule/first_fault.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace gridspan::runtime {

/// Work that is left out after a fault.
class GuardedWork : public Work {
 public:
  explicit GuardedWork(const FirstFault& fault) : fault_(fault) {}
  void run() final {
    if (!fault_.is_set()) run_guarded();
  }

 private:
  virtual void run_guarded() = 0;
  const FirstFault& fault_;
};

/// Runs one part of a launch.
class PartWork final : public Work {
 public:
  PartWork(devices::Device& device, FirstFault& fault, const KernelCommand& command)
      : device_(device),
        fault_(fault),
        kernel_(*command.kernel),
        shape_(command.shape),
        arguments_(*command.kernel, command.arguments) {}

  void set_blocks(const abi::Dim& first, const abi::Dim& count);
  /// What the device calls the variables of the kernel's module.
  void set_symbols(void* const* symbols) { symbols_ = symbols; }
  /// Replaces the pointer at `offset` of the packed arguments by one `distance` bytes further.
  void move_pointer(std::uint32_t offset, std::intptr_t distance);
  void run() override;
  bool stays_on_device() const override { return true; }

 private:
  devices::Device& device_;
  FirstFault& fault_;
  const abi::Kernel& kernel_;
  LaunchShape shape_;
  abi::Dim first_block_{}, block_count_{};
  void* const* symbols_ = nullptr;
  Arguments arguments_;
};

/// Copies the same boxes of two memories of one layout.
class CopyWork final : public GuardedWork {
 public:
  CopyWork(const FirstFault& fault, char* to, char* from,
           std::shared_ptr<const std::vector<regions::BoxCopy>> boxes)
      : GuardedWork(fault), to_(to), from_(from), boxes_(std::move(boxes)) {}

 private:
  void run_guarded() override;
  char* to_;
  char* from_;
  std::shared_ptr<const std::vector<regions::BoxCopy>> boxes_;
};

/// Copies stretches of bytes.
struct Stretch {
  char* to;
  const char* from;
  std::size_t bytes;
};
class StretchWork final : public GuardedWork {
 public:
  using GuardedWork::GuardedWork;
  void add(const Stretch& stretch) {
    stretches_.push_back(stretch);
    bytes_ += stretch.bytes;
  }
  std::uint64_t bytes() const { return bytes_; }
  /// The last stretch first.
  void reverse() { std::ranges::reverse(stretches_); }
  /// Keeps what the copy reads alive.
  void keep(std::shared_ptr<char[]> memory) { kept_ = std::move(memory); }

 private:
  void run_guarded() override;
  std::vector<Stretch> stretches_;
  std::uint64_t bytes_ = 0;
  std::shared_ptr<char[]> kept_;
};

/// Sets bytes of boxes.
class FillWork final : public GuardedWork {
 public:
  FillWork(const FirstFault& fault, char* memory, unsigned char value)
      : GuardedWork(fault), memory_(memory), value_(value) {}
  void add(const regions::View& view, const regions::Box& box) { append_copies(view, box, boxes_); }
  void add_row(std::int64_t offset, std::size_t bytes) { boxes_.push_back({offset, {bytes}}); }

 private:
  void run_guarded() override;
  char* memory_;
  unsigned char value_;
  std::vector<regions::BoxCopy> boxes_;
};

/// A snapshot of boxes of one memory, packed.
struct Twin {
  std::vector<regions::BoxCopy> boxes;
  std::vector<char> bytes;
};

/// Takes the snapshot.
class TwinWork final : public GuardedWork {
 public:
  TwinWork(const FirstFault& fault, const char* memory, std::shared_ptr<Twin> twin)
      : GuardedWork(fault), memory_(memory), twin_(std::move(twin)) {}

 private:
  void run_guarded() override;
  const char* memory_;
  std::shared_ptr<Twin> twin_;
};

/// Brings what changed in `from` since its twin was made over to `to`, in units of `unit` bytes
/// (of the buffer: the twin's boxes start at multiples of it).
class MergeWork final : public GuardedWork {
 public:
  MergeWork(const FirstFault& fault, char* to, const char* from, std::shared_ptr<Twin> twin,
            std::uint32_t unit)
      : GuardedWork(fault), to_(to), from_(from), twin_(std::move(twin)), unit_(unit) {}

 private:
  void run_guarded() override;
  char* to_;
  const char* from_;
  std::shared_ptr<Twin> twin_;
  std::uint32_t unit_;
};

/// Sets an event's time when it was reached on every device.
struct Reached {
  std::shared_ptr<EventRecord> event;
  std::atomic<std::size_t> missing;
};
class MarkWork final : public Work {
 public:
  explicit MarkWork(std::shared_ptr<Reached> reached) : reached_(std::move(reached)) {}
  void run() override;

 private:
  std::shared_ptr<Reached> reached_;
};

}  // namespace gridspan::runtime
