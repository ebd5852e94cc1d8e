// What a device executes, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "devices/boxes.h"
#include "devices/packed_array.h"
#include "devices/run_result.h"
#include "devices/work_graphs.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gridspan::devices {

class Device;

/// What a program may set. The numbers are cudaLimit's.
enum class Limit : std::uint8_t {
  stack_bytes = 0,
  printf_bytes = 1,
  heap_bytes = 2,
  pending_launches = 4,  // of kernels by a kernel
};

inline constexpr unsigned max_lines = 32;

/// A place in the order of what a device began on one line. 0: nothing.
using Mark = std::uint64_t;

/// To wait for a loose mark, which costs nothing to make, may be to wait for what was begun after
/// it, too.
enum class Marking : std::uint8_t { loose, exact };

/// The host's steady clock.
inline std::int64_t now_nanoseconds() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct ListedPart {
  const abi::Kernel* kernel;
  abi::LaunchContext launch;
};
using PartList = std::vector<ListedPart>;

/// Calls of the host in their turn on a line, from a thread of the device's own, which must not use
/// devices.
class HostCalls {
 public:
  virtual ~HostCalls() = default;
  /// `after_fault`: something before it on the device went wrong. If the result is a fault, nothing
  /// will be called.
  virtual RunResult begin(void (*function)(void* data, bool after_fault), void* data) = 0;
};

/// Called by one thread at a time, unless a function says otherwise. Two kinds of execution: a
/// device that only begins (DeviceFacts) enqueues what the `begin_` functions tell it to do and
/// reports by marks; another one does it at once, in the caller's thread (`QueueAtOnce`,
/// at_once.h).
class CommandQueue {
 public:
  virtual ~CommandQueue() = default;

  /// The calling thread belongs to the device from now on, as the one that runs parts and copies
  /// into its memory: it is kept on the device's cores. A part may run on other threads too.
  virtual void adopt_thread() = 0;

  /// Runs blocks [launch.first_block, +block_count) of `kernel`. Returns when all are done.
  virtual RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) = 0;

  /// Runs lists of parts: those of a list one after the other, those of different lists at once or
  /// in any order. Returns when all are done, or none begins any more after a fault.
  virtual RunResult run_lists(std::span<const PartList> lists) = 0;

  // What follows returns before it is done if DeviceFacts::only_begins.
  /// A device does what it begins on one line in the order in which it was begun; what it begins on
  /// different ones it may do at once. From now on it begins things, and makes marks, on `line`, at
  /// first on 0; all from `max_lines` on may be one. Memory of the host that a copy reads or writes
  /// belongs to it until it is done. run_part waits for what was begun on its line before;
  /// DeviceMemory::copy and fill do not: nothing begun may touch the same memory.
  virtual void use_line(unsigned line) = 0;
  virtual RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) = 0;
  /// The same of a kernel that `runs_packed`, with packed boxes of some of its arrays.
  virtual RunResult begin_packed(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                                 std::span<const PackedArray> arrays) = 0;
  /// As DeviceMemory::copy_all and fill.
  virtual RunResult begin_copies(std::span<const BoxMove> moves) = 0;
  RunResult begin_copy(const Pitched& to, const Pitched& from, const Extent& extent) {
    const BoxMove move{to, from, extent};
    return begin_copies({&move, 1});
  }
  virtual RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) = 0;

  /// Null: the device makes no graphs.
  virtual WorkGraphs* graphs() = 0;
  /// Null: the device can't call the host.
  virtual HostCalls* host_calls() = 0;

  /// What is begun on the line from now on begins after what `other`, which may be this device, had
  /// begun at `mark`. This may return only then.
  virtual RunResult begin_after(Device& other, Mark mark) = 0;
  /// The place behind everything begun on the line so far.
  virtual Mark mark(Marking how) = 0;
  /// The same, exactly; the device notes when it comes there, which `time_of` tells once, when it
  /// is done, as now_nanoseconds() would have. Each has to be asked for, in any order.
  virtual Mark mark_time() = 0;
  virtual std::int64_t time_of(Mark mark) = 0;
  /// Whether everything before the mark on its line is done, well or not. Any thread.
  virtual bool is_done(Mark mark) = 0;
  /// Returns when it is: the first thing that went wrong in all that was begun. Any thread.
  virtual RunResult finish(Mark mark) = 0;

  /// From the next part on; stacks of CPUs are those of kernels on fibers. A limit that means
  /// nothing to the device is ignored. No fault of these is sticky.
  virtual RunResult set_limit(Limit which, std::size_t value) = 0;
  /// Nothing: the value that was set.
  virtual std::optional<std::size_t> limit(Limit which) = 0;
};

/// run_lists for a queue that has nothing better: one part after the other.
RunResult run_one_by_one(CommandQueue& queue, std::span<const PartList> lists);

}  // namespace gridspan::devices
