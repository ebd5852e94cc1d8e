// What can stand in the queue.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/memory/copy.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>

namespace gridspan::runtime {

/// Place of a command in the queue; the first is 1.
using Sequence = std::uint64_t;

/// A kernel's arguments, copied when it is launched, packed as abi::Parameter::offset says.
/// Small lists (nearly all) live in the command itself.
class Arguments {
 public:
  Arguments(const abi::Kernel& kernel, void* const* values);
  /// A copy of the arguments of a launch of the same kernel.
  Arguments(const abi::Kernel& kernel, const Arguments& other);
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  const std::byte* bytes() const { return large_ ? large_.get() : small_; }
  std::byte* bytes() { return large_ ? large_.get() : small_; }

 private:
  std::byte* make_room(std::size_t size);
  struct AlignedDelete {
    void operator()(std::byte* bytes) const;
  };
  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t small_size = 256;
  std::unique_ptr<std::byte, AlignedDelete> large_;
  alignas(alignment) std::byte small_[small_size];
};

struct LaunchShape {
  abi::Dim grid;
  abi::Dim block;
  std::uint32_t dynamic_shared;

  friend bool operator==(const LaunchShape& one, const LaunchShape& other) {
    const auto dim = [](const abi::Dim& a, const abi::Dim& b) {
      return a.x == b.x && a.y == b.y && a.z == b.z;
    };
    return dim(one.grid, other.grid) && dim(one.block, other.block) &&
           one.dynamic_shared == other.dynamic_shared;
  }
};

/// Home addresses of the variables of a kernel's module.
struct SymbolTable {
  void* const* addresses = nullptr;
  std::uint32_t count = 0;
};

struct KernelCommand;

/// One of the launches that a kernel made of several is in the place of.
struct MemberLaunch {
  const KernelCommand* launch;
  std::span<const unsigned> parameters;  // of the one kernel, that are the launch's own
  std::span<const unsigned> unwritten;   // those of the one kernel with which it writes nothing
};

struct KernelCommand {
  KernelCommand(const abi::Kernel& kernel_, const SymbolTable& symbols_, const LaunchShape& shape_,
                void* const* values)
      : kernel(&kernel_), symbols(symbols_), shape(shape_), arguments(kernel_, values) {}
  KernelCommand(const KernelCommand& other)
      : kernel(other.kernel),
        symbols(other.symbols),
        shape(other.shape),
        arguments(*other.kernel, other.arguments) {}
  KernelCommand& operator=(const KernelCommand&) = delete;

  const abi::Kernel* kernel;
  SymbolTable symbols;
  LaunchShape shape;
  Arguments arguments;
  /// Of a kernel made of several, while it is begun: nothing but these says what it touches. A copy
  /// has none.
  std::span<const MemberLaunch> members = {};
};

/// Copies a box; `staged` keeps a snapshot of the source alive, or is null. `runs_beside`: between
/// page-locked memory of the host and a device, and nobody waits for it at once.
struct CopyCommand {
  Pitched to, from;
  Extent extent;
  std::unique_ptr<char[]> staged;
  bool runs_beside = false;
};

struct FillCommand {
  Pitched to;
  Extent extent;
  unsigned char value;
};

/// A hint: where managed memory is used next.
struct PrefetchCommand {
  char* memory;
  std::size_t bytes;
  bool to_host;
};

/// Calls `function(data)`. Dropped after a fault unless `always`. `is_programs`: it is code of the
/// program's, which touches nothing of ours: any thread may call it.
struct HostCommand {
  void (*function)(void* data, bool after_fault);
  void* data;
  bool always;
  bool is_programs = false;
};

/// What a recorded event remembers: the command that records it, and when that command ran.
struct EventRecord {
  std::atomic<std::uint64_t> sequence{0};    // 0: never recorded
  std::atomic<std::int64_t> nanoseconds{0};  // steady clock
  /// Of the last record that is known to be reached. Not every executor tells.
  std::atomic<std::uint64_t> reached{0};
};

struct RecordCommand {
  std::shared_ptr<EventRecord> event;
};

/// What comes after it on its line comes after a command that was submitted before.
struct WaitCommand {
  Sequence sequence;  // 0: nothing to wait for
};

struct GraphWork;

/// All of it, once.
struct GraphCommand {
  std::shared_ptr<GraphWork> work;
};

/// std::monostate: an empty slot, or a command that only marks a place in the order.
using Command = std::variant<std::monostate, KernelCommand, CopyCommand, FillCommand, HostCommand,
                             PrefetchCommand, RecordCommand, WaitCommand, GraphCommand>;

}  // namespace gridspan::runtime
