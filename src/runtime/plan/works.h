// The kinds of work a device is given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WorkMaker makes all of it. It runs on the device's own queue; once something has failed, nothing
// runs any more.
#pragma once

#include "devices/device.h"
#include "runtime/memory/copy.h"
#include "runtime/plan/block_times.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/part_times.h"
#include "runtime/regions/box_copies.h"
#include "runtime/schedule/about_arguments.h"
#include "runtime/schedule/command.h"
#include "runtime/schedule/event_times.h"
#include "runtime/schedule/first_fault.h"
#include "runtime/schedule/kept_sources.h"
#include "runtime/schedule/work_queue.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace gridspan::runtime {

/// A copy of so much takes about as long as waking a thread.
inline constexpr std::uint64_t brief_copy = 32 << 10;

/// Work that is left out after a fault. What goes wrong in it is a fault, also what it throws: the
/// device's thread goes on, so that nobody waits in vain.
class GuardedWork : public Work {
 public:
  explicit GuardedWork(FirstFault& fault) : fault_(fault) {}
  void run() final;

 protected:
  FirstFault& fault() const { return fault_; }

 private:
  virtual devices::RunResult run_guarded() = 0;
  FirstFault& fault_;
};

/// Runs blocks of a launch.
class PartWork final : public GuardedWork {
 public:
  PartWork(devices::Device& device, FirstFault& fault, const KernelCommand& command)
      : GuardedWork(fault),
        device_(device),
        kernel_(*command.kernel),
        shape_(command.shape),
        arguments_(*command.kernel, command.arguments) {}

  void add_blocks(const BlockBox& blocks);
  /// What the device calls the variables of the kernel's module.
  void set_symbols(void* const* symbols) { symbols_ = symbols; }
  /// Replaces the pointer at `offset` of the packed arguments by one `distance` bytes further.
  void move_pointer(std::uint32_t offset, std::intptr_t distance);
  void set_about(const AboutArguments& about) {
    are_distinct_ = about.are_distinct();
    are_small_ = about.are_small();
  }
  /// The device holds packed boxes of these.
  void set_packed(std::vector<devices::PackedArray> arrays) { packed_ = std::move(arrays); }
  devices::CommandQueue& queue() { return device_.queue(); }
  void set_clock(std::shared_ptr<PartClock> clock) { clock_ = std::move(clock); }
  /// It is done sooner than another thread would have begun it.
  void set_brief() { is_brief_ = true; }
  bool is_brief() const override { return is_brief_; }
  /// What the part takes is noted there.
  void set_block_time(std::shared_ptr<BlockTime> time) { block_time_ = std::move(time); }
  bool stays_on_device() const override { return true; }
  /// What a kernel launches is begun when the kernel has ended: the device's thread waits for it.
  bool only_begins() const override { return !abi::launches_kernels(kernel_); }

  // Launches come and go one by one: the memory of the last is the next one's.
  static void* operator new(std::size_t size);
  static void operator delete(void* memory);

 private:
  devices::RunResult run_guarded() override;
  devices::Device& device_;
  const abi::Kernel& kernel_;
  LaunchShape shape_;
  BlockBox blocks_{};           // none yet: counts of 0
  std::vector<BlockBox> more_;  // seldom any
  void* const* symbols_ = nullptr;
  bool are_distinct_ = false, are_small_ = false;  // what the arguments point to
  bool is_brief_ = false;
  Arguments arguments_;
  std::vector<devices::PackedArray> packed_;  // seldom any
  std::shared_ptr<PartClock> clock_;          // null: nobody asks
  std::shared_ptr<BlockTime> block_time_;     // likewise
};

/// Copies the same boxes of two memories of one layout. `is_foreign`: the device that makes the
/// copy is not the one whose work this is.
class CopyWork final : public GuardedWork {
 public:
  CopyWork(devices::Device& device, bool is_foreign, FirstFault& fault, char* to, char* from,
           std::shared_ptr<const std::vector<regions::BoxCopy>> boxes)
      : GuardedWork(fault),
        device_(device),
        is_foreign_(is_foreign),
        to_(to),
        from_(from),
        boxes_(std::move(boxes)) {}
  bool is_brief() const override;
  bool only_begins() const override { return !is_foreign_; }

 private:
  devices::RunResult run_guarded() override;
  devices::Device& device_;
  bool is_foreign_;
  char* to_;
  char* from_;
  std::shared_ptr<const std::vector<regions::BoxCopy>> boxes_;
};

/// Copies boxes between two memories of different layouts.
class MovesWork final : public GuardedWork {
 public:
  MovesWork(devices::Device& device, bool is_foreign, FirstFault& fault,
            std::vector<devices::BoxMove> moves)
      : GuardedWork(fault), device_(device), is_foreign_(is_foreign), moves_(std::move(moves)) {}
  bool only_begins() const override { return !is_foreign_; }

 private:
  devices::RunResult run_guarded() override;
  devices::Device& device_;
  bool is_foreign_;
  std::vector<devices::BoxMove> moves_;
};

/// Stretches of bytes, and where they go.
struct Stretch {
  char* to;
  const char* from;
  std::size_t bytes;
};
class Stretches {
 public:
  void add(const Stretch& stretch) {
    all_.push_back(stretch);
    bytes_ += stretch.bytes;
  }
  /// The last one first.
  void reverse() { std::ranges::reverse(all_); }
  std::uint64_t bytes() const { return bytes_; }
  const std::vector<Stretch>& all() const { return all_; }

 private:
  std::vector<Stretch> all_;
  std::uint64_t bytes_ = 0;
};

/// Copies them.
class StretchWork final : public GuardedWork {
 public:
  StretchWork(devices::Device& device, FirstFault& fault, Stretches stretches)
      : GuardedWork(fault), device_(device), stretches_(std::move(stretches)) {}
  bool is_brief() const override {
    return stretches_.bytes() <= brief_copy && stretches_.all().size() <= 64;
  }
  bool only_begins() const override { return true; }
  /// What the copy reads is given to the device's `sources` when it is begun.
  void keep(std::shared_ptr<char[]> memory, KeptSources& sources) {
    read_ = std::move(memory);
    sources_ = &sources;
  }

 private:
  devices::RunResult run_guarded() override;
  devices::Device& device_;
  Stretches stretches_;
  std::shared_ptr<char[]> read_;  // null: nobody's but the program's
  KeptSources* sources_ = nullptr;
};

/// Sets bytes of boxes.
class FillWork final : public GuardedWork {
 public:
  FillWork(devices::Device& device, FirstFault& fault, char* memory, unsigned char value)
      : GuardedWork(fault), device_(device), memory_(memory), value_(value) {}
  void add(const regions::View& view, const regions::Box& box) { append_copies(view, box, boxes_); }
  void add_row(std::int64_t offset, std::size_t bytes) { boxes_.push_back({offset, {bytes}}); }
  bool only_begins() const override { return true; }

 private:
  devices::RunResult run_guarded() override;
  devices::Device& device_;
  char* memory_;
  unsigned char value_;
  std::vector<regions::BoxCopy> boxes_;
};

/// Tells where managed memory is used next.
class PrefetchWork final : public Work {
 public:
  PrefetchWork(devices::Device& device, bool to_host) : device_(device), to_host_(to_host) {}
  void add(char* memory, std::size_t bytes) { stretches_.push_back({memory, bytes}); }
  void run() override;
  bool is_brief() const override { return true; }
  bool only_begins() const override { return true; }

 private:
  struct Hint {
    char* memory;
    std::size_t bytes;
  };
  devices::Device& device_;
  bool to_host_;
  std::vector<Hint> stretches_;
};

/// A device's copy of a buffer.
struct Replica {
  devices::Device* device;
  char* memory;
};

/// A snapshot of boxes of one memory, packed.
struct Twin {
  std::vector<regions::BoxCopy> boxes;
  std::vector<char> bytes;
};

/// Takes the snapshot.
class TwinWork final : public GuardedWork {
 public:
  TwinWork(devices::Device& device, FirstFault& fault, char* memory, std::shared_ptr<Twin> twin)
      : GuardedWork(fault), device_(device), memory_(memory), twin_(std::move(twin)) {}

 private:
  devices::RunResult run_guarded() override;
  devices::Device& device_;
  char* memory_;
  std::shared_ptr<Twin> twin_;
};

/// Brings what changed in `from` since its twin was made over to `to`, in units of `unit` bytes,
/// counted from the start of the buffer.
class MergeWork final : public GuardedWork {
 public:
  MergeWork(FirstFault& fault, const Replica& to, const Replica& from, std::shared_ptr<Twin> twin,
            std::uint32_t unit)
      : GuardedWork(fault), to_(to), from_(from), twin_(std::move(twin)), unit_(unit) {}

 private:
  devices::RunResult run_guarded() override;
  void merge_run(std::int64_t offset, std::size_t bytes, const char* before, char* all_of_to,
                 const char* all_of_from) const;
  Replica to_;
  Replica from_;
  std::shared_ptr<Twin> twin_;
  std::uint32_t unit_;
};

/// Makes a private copy in one memory: identities of its operation.
class IdentityWork final : public GuardedWork {
 public:
  IdentityWork(devices::Device& device, FirstFault& fault, char* memory, const PrivateCopy& copy)
      : GuardedWork(fault),
        device_(device),
        memory_(memory),
        op_(copy.op),
        update_bytes_(copy.update_bytes),
        rows_(copy.rows) {}
  bool stays_on_device() const override { return true; }

 private:
  devices::RunResult run_guarded() override;
  devices::Device& device_;
  char* memory_;
  abi::ReductionOp op_;
  std::uint32_t update_bytes_;
  std::shared_ptr<const std::vector<regions::BoxCopy>> rows_;
};

/// Combines the private copy in `from` into `to`.
class CombineWork final : public GuardedWork {
 public:
  CombineWork(FirstFault& fault, const Replica& to, const Replica& from, const PrivateCopy& copy)
      : GuardedWork(fault),
        to_(to),
        from_(from),
        op_(copy.op),
        update_bytes_(copy.update_bytes),
        rows_(copy.rows) {}

 private:
  devices::RunResult run_guarded() override;
  Replica to_;
  Replica from_;
  abi::ReductionOp op_;
  std::uint32_t update_bytes_;
  std::shared_ptr<const std::vector<regions::BoxCopy>> rows_;
};

/// An event that the device comes to.
class MarkWork final : public Work {
 public:
  /// `place`: of the marks.
  MarkWork(devices::Device& device, std::shared_ptr<EventMarks> marks, std::size_t place)
      : device_(device), marks_(std::move(marks)), place_(place) {
    marks_->places[place_].device = &device_;
  }
  void run() override;
  bool is_brief() const override { return true; }
  bool only_begins() const override { return true; }

 private:
  devices::Device& device_;
  std::shared_ptr<EventMarks> marks_;
  std::size_t place_;
};

}  // namespace gridspan::runtime
