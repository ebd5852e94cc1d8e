// The one interface behind which every kind of device hides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device runs commands when it is told to, on the caller's thread (plus its own workers), and
// returns when the command is done; some devices can also only begin commands, on lines. Streams
// and the order of commands are the schedule's business (runtime/schedule), API errors the API's.
#pragma once

#include "abi/module.h"
#include "devices/boxes.h"
#include "devices/gpu_facts.h"
#include "devices/packed_array.h"
#include "devices/work_graph.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridspan::devices {

/// A program has at most so many devices, and so many threads on all of them together.
inline constexpr unsigned max_devices = 64;
inline constexpr unsigned max_threads = 4096;

/// Why a part did not run to its end. Everything but `none` is sticky, as on CUDA, unless
/// RunResult says otherwise.
enum class Fault : std::uint8_t {
  none,
  illegal_address,   // cudaErrorIllegalAddress: SIGSEGV/SIGBUS inside a kernel
  assertion,         // cudaErrorAssert
  trap,              // cudaErrorLaunchFailure
  stack_overflow,    // cudaErrorLaunchFailure with its own text
  barrier_deadlock,  // cudaErrorLaunchFailure: threads wait for each other forever
  misuse,            // cudaErrorLaunchFailure: found by interpret mode
  out_of_memory,     // cudaErrorMemoryAllocation: no room for a device's copy of a buffer
  // What only GPUs tell, by CUDA's error of that name.
  illegal_instruction,
  misaligned_address,
  invalid_address_space,
  invalid_pc,
  hardware_stack,
  timeout,
  uncorrectable_memory,  // cudaErrorECCUncorrectable
  out_of_resources,
  too_many_blocks,  // cudaErrorCooperativeLaunchTooLarge
  invalid_value,
};

struct RunResult {
  Fault fault = Fault::none;
  std::string message;  // one line naming kernel, block, thread, source line where known
  /// A launch that was refused before anything of it ran: what comes later is not affected.
  bool passes = false;
};

/// What a device does in a graph, behind other steps: those of the graph with these numbers, all of
/// them smaller than its own. `begin` begins it, by calls of Device, or nothing.
struct GraphStep {
  std::function<RunResult()> begin;
  std::vector<std::size_t> predecessors;
};

/// What a program may set. The numbers are cudaLimit's.
enum class Limit : std::uint8_t { stack_bytes = 0, printf_bytes = 1, heap_bytes = 2 };

enum class DeviceKind : std::uint8_t { cpu, cuda };

/// What a device is. `summarise` (summary.h) makes one of several; cudaDeviceProp is filled from
/// that.
struct DeviceFacts {
  std::string name;       // e.g. "Gridspan CPU (Intel Xeon ..., 2 threads)"
  std::string processor;  // e.g. "Intel Xeon ..."
  /// The device's own: devices in one physical memory have a share of it each.
  std::uint64_t memory_bytes = 0;
  std::uint32_t workers = 0;  // threads that run blocks = multiProcessorCount
  std::uint32_t clock_khz = 0;
  std::uint32_t memory_clock_khz = 0;
  std::uint32_t l2_bytes = 0;
  std::uint32_t max_shared_per_block = 0;
  std::vector<unsigned> cpus = {};  // hardware threads of the host it runs on, ascending
  int numa_node = -1;               // where all of them and the memory are; -1: no single node
  bool has_own_cpus = false;        // one for each worker, and no other device runs there
  bool is_pinned = false;           // its threads never leave these CPUs
  DeviceKind kind = DeviceKind::cpu;
  /// The host, and devices whose memory it reaches, read and write this device's memory as their
  /// own. Else only the device itself does (Device::copy, Device::fill).
  bool host_reaches_memory = true;
  std::uint32_t capability = 0;  // of a GPU: 90 is sm_90
  /// What it computes in a second, in some unit that all devices share; 0: as much as its workers
  /// would on a CPU.
  std::uint32_t speed = 0;
  /// The hardware it is on, which later processes know again by this line; and how many devices of
  /// the program share it.
  std::string place = {};
  std::uint32_t shares = 1;
  std::shared_ptr<const GpuFacts> gpu = {};  // null: it is none
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

/// Which device of the process it is. A device that wraps another one answers with the other's.
enum class DeviceId : std::uint32_t {};

/// One device with its memory. What it computes and moves (`run_part`, `copy`, `fill`, and the same
/// with `begin_`) is called by one thread at a time. Making and giving back memory may be done by
/// any thread at any time.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceFacts& facts() const = 0;
  /// Identifies the device wherever one is to be recognised: its address may be a wrapper's.
  virtual DeviceId id() const { return id_; }

  /// `size` bytes aligned to 256, or null when the device has no room. The program sees these: they
  /// are made on the home device, device 0.
  virtual void* allocate(std::size_t size) = 0;
  virtual void free(void* memory) = 0;
  /// What it could still give out; the largest number if it does not know better than its facts.
  virtual std::uint64_t free_bytes() { return std::numeric_limits<std::uint64_t>::max(); }

  /// A range of `size` > 0 bytes in this device's memory, aligned to pages. It is address space
  /// only: memory is taken page by page when it is touched first, or by `commit`. What
  /// stands there is not defined. Null when there is no room for it.
  virtual void* reserve(std::size_t size) = 0;
  /// Gives the whole range back; `size` as it was reserved.
  virtual void release(void* memory, std::size_t size) = 0;
  /// Gives back the memory of every whole page in a stretch of a range, which stays reserved. The
  /// contents of these pages are lost.
  virtual void discard(void* memory, std::size_t size) = 0;

  /// Not 0: in a range of `size` bytes nothing may be touched before there is memory behind it,
  /// which is taken and given back in units of so many bytes, counted from the range's start. What
  /// `commit` and `discard` are given then begins and ends with a unit, or ends with the range.
  virtual std::size_t memory_unit(std::size_t /*size*/) const { return 0; }
  /// Takes memory for a stretch of a range, none of which has any. Returns how much of it, from its
  /// beginning, has memory now: less than `size` if the device has no more.
  virtual std::size_t commit(void* /*memory*/, std::size_t size) { return size; }

  /// For tests that show who touches what: while protected, each access to memory of this device
  /// (allocated or reserved) is a fault, whoever makes it. False if the device can't do that.
  virtual bool protect(bool on) = 0;

  /// The calling thread belongs to the device from now on, as the one that calls run_part and
  /// copies into its memory: it is kept on the device's cores. A part may run on other threads too.
  virtual void adopt_thread() = 0;

  /// Copies a box between memories the device reaches: its own, the host's, for reading other
  /// devices'. Sets every byte of a box of its own. Both are called as run_part is; those of a
  /// device whose memory the host does not reach by any thread at any time.
  virtual RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent) = 0;
  /// The same for several boxes of the same two memories, until one fails.
  virtual RunResult copy_all(std::span<const BoxMove> moves) {
    for (const BoxMove& move : moves) {
      RunResult result = copy(move.to, move.from, move.extent);
      if (result.fault != Fault::none) return result;
    }
    return {};
  }
  virtual RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) = 0;

  /// Runs blocks [launch.first_block, +block_count) of `kernel`. Returns when all are done.
  virtual RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) = 0;

  /// True if what follows returns before it is done. Others do it like run_part, copy and fill.
  virtual bool only_begins() const { return false; }
  /// A device does what it begins on one line in the order in which it was begun; what it begins on
  /// different ones it may do at once. From now on it begins things, and makes marks, on `line`, at
  /// first on 0; all from `max_lines` on may be one. Memory of the host that a copy reads or writes
  /// belongs to it until it is done. run_part waits for what was begun on its line before; copy and
  /// fill do not: nothing begun may touch the same memory.
  virtual void use_line(unsigned /*line*/) {}
  virtual RunResult begin_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) {
    return run_part(kernel, launch);
  }
  /// The same of a kernel that `runs_packed`, with packed boxes of some of its arrays.
  virtual RunResult begin_packed(const abi::Kernel&, const abi::LaunchContext&,
                                 std::span<const PackedArray>) {
    return {Fault::misuse, "error: the device has no kernels for packed boxes"};
  }
  virtual RunResult begin_copy(const Pitched& to, const Pitched& from, const Extent& extent) {
    return copy(to, from, extent);
  }
  /// The same of several boxes of the same two memories, until one fails.
  virtual RunResult begin_copies(std::span<const BoxMove> moves) {
    for (const BoxMove& move : moves) {
      RunResult result = begin_copy(move.to, move.from, move.extent);
      if (result.fault != Fault::none) return result;
    }
    return {};
  }
  virtual RunResult begin_fill(const Pitched& to, const Extent& extent, unsigned char value) {
    return fill(to, extent, value);
  }
  /// Calls `begin` of each step, which begins nothing now: all of it is kept, to be begun as a
  /// whole. They must only begin whole kernels, and copies and fills that the device makes itself.
  /// Null if the device makes no graphs, or not this one. Called as run_part is.
  virtual std::unique_ptr<WorkGraph> make_graph(std::span<const GraphStep> /*steps*/) {
    return nullptr;
  }
  /// It has everything still that a graph of its own needs.
  virtual bool is_current(const WorkGraph&) const { return true; }
  virtual RunResult begin_graph(WorkGraph&) {
    return {Fault::misuse, "error: the device has no graphs"};
  }
  /// True if it can call the host, in its turn on the line and from a thread of its own, which must
  /// not use devices. `after_fault`: something before it on the device went wrong. If the result is
  /// a fault, nothing will be called.
  virtual bool calls_host() const { return false; }
  virtual RunResult begin_call(void (* /*function*/)(void* data, bool after_fault),
                               void* /*data*/) {
    return {Fault::misuse, "error: the device calls nobody"};
  }
  /// What is begun on the line from now on begins after what `other`, which may be this device, had
  /// begun at `mark`. This may return only then.
  virtual RunResult begin_after(Device& other, Mark mark) { return other.finish(mark); }
  /// The place behind everything begun on the line so far. Called as run_part is.
  virtual Mark mark(Marking) { return 0; }
  /// The same, exactly; the device notes when it comes there, which `time_of` tells once, when it
  /// is done, as now_nanoseconds() would have.
  virtual Mark mark_time() { return static_cast<Mark>(now_nanoseconds()); }
  virtual std::int64_t time_of(Mark mark) { return static_cast<std::int64_t>(mark); }
  /// Whether everything before the mark on its line is done, well or not. Any thread.
  virtual bool is_done(Mark) { return true; }
  /// Returns when it is: the first thing that went wrong in all that was begun. Any thread.
  virtual RunResult finish(Mark) { return {}; }

  /// From the next part on; stacks of CPUs are those of kernels on fibers. What is of no matter
  /// there is ignored. No fault of these is sticky. Called as run_part is.
  virtual RunResult set_limit(Limit, std::size_t /*value*/) { return {}; }
  /// Nothing: what was set.
  virtual std::optional<std::size_t> limit(Limit) { return std::nullopt; }

  /// Why the device cannot run the kernel, `whole` grids or parts of grids, in one line; empty if
  /// it can. Any thread.
  virtual std::string refusal(const abi::Kernel&, bool /*whole*/) { return {}; }

  /// Threads that a block of a kernel that is not refused may have, as far as the device's
  /// registers go. Any thread.
  virtual std::uint32_t most_threads(const abi::Kernel&, bool /*whole*/) {
    return abi::max_block_threads;
  }

  /// What its driver says of a kernel that is not refused; nothing if there is none. Any thread.
  virtual std::optional<KernelNeeds> needs(const abi::Kernel&) { return std::nullopt; }

  /// Blocks of a kernel that one worker holds at once, as far as the device knows better than the
  /// limits that all devices keep. Any thread.
  virtual std::uint32_t resident_blocks(const abi::Kernel&, std::uint32_t /*threads*/,
                                        std::size_t /*dynamic_shared*/) {
    return std::numeric_limits<std::uint32_t>::max();
  }

  /// It has code of the kernel that works on packed boxes, in blocks of so many threads, of those
  /// arrays that are arguments of their own and have rows. Any thread.
  virtual bool runs_packed(const abi::Kernel&, std::uint32_t /*threads*/) { return false; }

  /// Where the device's code of a module has the module's variable; null: it goes by
  /// LaunchContext::symbols, or has none. Any thread.
  virtual void* variable(const abi::Module&, std::uint32_t /*index*/) { return nullptr; }
  /// Nothing of the module runs. It goes, or its variables are to be as at first again.
  virtual void forget(const abi::Module&) {}

  /// Memory of the host that the device reaches at the host's address, and the host's own memory
  /// made so; null or false if there can't be any. For devices whose memory the host does not
  /// reach: others reach all of the host's. Any thread.
  virtual void* allocate_host(std::size_t) { return nullptr; }
  virtual void free_host(void*) {}
  /// The same for memory that host and devices use at once, as it may be moved by: pages of it need
  /// not stay the host's.
  virtual void* allocate_managed(std::size_t size) { return allocate_host(size); }
  virtual void free_managed(void* memory) { free_host(memory); }
  /// A hint: from where in the order of what was begun on its pages are used by the host, or by the
  /// device. Like all `begin_` calls.
  virtual void begin_prefetch(void* /*memory*/, std::size_t, bool /*to_host*/) {}
  /// A hint that holds until it is taken back: a cudaMemoryAdvise, about the host or the device.
  /// Any thread.
  virtual void advise(void* /*memory*/, std::size_t, int /*advice*/, bool /*of_host*/) {}
  virtual bool register_host(void*, std::size_t) { return true; }
  virtual void unregister_host(void*) {}

 private:
  static DeviceId next_id() {
    static std::atomic<std::uint32_t> made{0};
    return DeviceId{made++};
  }
  const DeviceId id_ = next_id();
};

}  // namespace gridspan::devices
