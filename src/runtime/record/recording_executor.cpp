// Notes before a command, what became of it after.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/recording_executor.h"

#include "support/hash.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace gridspan::runtime::record {

namespace {

BoxExtent note_of(const Extent& extent) { return {extent.width, extent.height, extent.depth}; }

std::string packed_arguments(const KernelCommand& command) {
  const abi::Kernel& kernel = *command.kernel;
  if (kernel.parameter_count == 0) return "";
  const abi::Parameter& last = kernel.parameters[kernel.parameter_count - 1];
  return {reinterpret_cast<const char*>(command.arguments.bytes()),
          std::size_t{last.offset} + last.size};
}

/// The box's bytes, row after row.
std::unique_ptr<char[]> packed(const Pitched& memory, const Extent& extent) {
  std::unique_ptr<char[]> bytes(new char[note_of(extent).bytes()]);
  copy_box({bytes.get(), extent.width, extent.width * extent.height}, memory, extent);
  return bytes;
}

const char* fault_name(devices::Fault fault) {
  switch (fault) {
    case devices::Fault::none:
      return "none";
    case devices::Fault::illegal_address:
      return "illegal address";
    case devices::Fault::assertion:
      return "assertion";
    case devices::Fault::trap:
      return "trap";
    case devices::Fault::stack_overflow:
      return "stack overflow";
    case devices::Fault::barrier_deadlock:
      return "barrier deadlock";
    case devices::Fault::misuse:
      return "misuse";
    case devices::Fault::out_of_memory:
      return "out of memory";
    case devices::Fault::illegal_instruction:
      return "illegal instruction";
    case devices::Fault::misaligned_address:
      return "misaligned address";
    case devices::Fault::invalid_address_space:
      return "invalid address space";
    case devices::Fault::invalid_pc:
      return "invalid program counter";
    case devices::Fault::hardware_stack:
      return "hardware stack error";
    case devices::Fault::timeout:
      return "timeout";
    case devices::Fault::uncorrectable_memory:
      return "uncorrectable memory";
    case devices::Fault::out_of_resources:
      return "out of resources";
    case devices::Fault::too_many_blocks:
      return "too many blocks";
    case devices::Fault::invalid_value:
      return "invalid value";
  }
  return "unknown";
}

}  // namespace

RecordingExecutor::RecordingExecutor(Recorder& recorder, Executor& executor, ManyDevices* planning,
                                     const AllocationTable& table)
    : recorder_(recorder),
      executor_(executor),
      planning_(planning),
      memory_(recorder, table),
      modules_(recorder),
      plans_(recorder) {
  if (planning_) planning_->watch(this);
}

void RecordingExecutor::begin() {
  memory_.update(new_variables_);
  modules_.update(new_variables_);
  began_ = recorder_.now();
  is_noted_ = true;
}

void RecordingExecutor::run(KernelCommand& command) {
  begin();
  if (recorder_.has_data() && memory_.has_host_memory()) {
    executor_.finish(command_ - 1);
    memory_.write_contents();
  }
  launched_ = modules_.place_of(*command.kernel, command.symbols);
  recorder_.write(LaunchNote{command_,
                             launched_.module,
                             launched_.kernel,
                             extents_of(command.shape.grid),
                             extents_of(command.shape.block),
                             command.shape.dynamic_shared,
                             {packed_arguments(command)}});
  executor_.run(command);
}

void RecordingExecutor::run(CopyCommand& command) {
  begin();
  CopyNote note{command_, side(command.to), side(command.from), note_of(command.extent), {}};
  if (recorder_.has_data() && note.from.is_host && !note.to.is_host) {
    executor_.finish(command_ - 1);  // earlier copies may still be writing the source
    note.data = keep(command.from, command.extent);
  }
  if (recorder_.has_data() && note.to.is_host && !note.from.is_host) {
    brought_ = {command.to, command.extent};
  }
  recorder_.write(note);
  executor_.run(command);
}

void RecordingExecutor::run(FillCommand& command) {
  begin();
  recorder_.write(FillNote{command_, side(command.to), note_of(command.extent), command.value});
  executor_.run(command);
}

void RecordingExecutor::run(RecordCommand& command) {
  begin();
  recorder_.write(EventNote{command_, reinterpret_cast<std::uintptr_t>(command.event.get())});
  executor_.run(command);
}

void RecordingExecutor::carried_out(const LaunchPlan& plan, std::span<const CopyStep> copies) {
  plans_.write(command_, plan, copies);
}

void RecordingExecutor::shares_changed(const Shares& shares) {
  recorder_.write(
      SharesNote{command_, launched_.module, launched_.kernel, shares.slowness, shares.asks_all});
}

void RecordingExecutor::place_changed(bool on_all) { recorder_.write(PlaceNote{command_, on_all}); }

void RecordingExecutor::passed(Sequence sequence) {
  executor_.passed(sequence);
  command_ = sequence + 1;
  if (!std::exchange(is_noted_, false)) return;
  if (brought_) {
    executor_.finish(sequence);
    if (executor_.fault() == devices::Fault::none) write_digest(*brought_);
    brought_.reset();
  }
  PassedNote note{sequence, began_, recorder_.now(), {}};
  if (planning_) {
    const MovedNote now = moved(planning_->traffic());
    note.moved = moved_since(moved_, now);
    moved_ = now;
  }
  recorder_.write(note);
  note_fault(sequence);
}

/// Any thread: on several devices a fault may be known only when somebody waits.
void RecordingExecutor::note_fault(Sequence sequence) {
  if (executor_.fault() == devices::Fault::none || has_fault_.exchange(true)) return;
  recorder_.write(FaultNote{sequence, fault_name(executor_.fault())});
}

SideNote RecordingExecutor::side(const Pitched& memory) const {
  return {reinterpret_cast<std::uintptr_t>(memory.base), memory.pitch, memory.slice_pitch,
          memory_.is_host(memory.base)};
}

Bytes RecordingExecutor::keep(const Pitched& memory, const Extent& extent) {
  const std::unique_ptr<char[]> bytes = packed(memory, extent);
  return recorder_.keep(bytes.get(), note_of(extent).bytes());
}

void RecordingExecutor::write_digest(const Brought& brought) {
  const std::unique_ptr<char[]> bytes = packed(brought.to, brought.extent);
  const std::uint64_t size = note_of(brought.extent).bytes();
  DigestNote note{command_ - 1, {}};
  for (std::uint64_t at = 0; at < size; at += DigestNote::stretch) {
    note.hashes.push_back(support::hash_bytes(
        bytes.get() + at, std::min<std::uint64_t>(DigestNote::stretch, size - at)));
  }
  recorder_.write(note);
}

}  // namespace gridspan::runtime::record
