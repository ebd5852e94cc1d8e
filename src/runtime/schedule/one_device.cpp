// Commands done in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/one_device.h"

#include "runtime/schedule/float_mode.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

/// Subscripts of such an array differ by less than 2^31, whatever its elements.
constexpr std::size_t small_bytes = std::size_t{1} << 31;

void OneDevice::run(KernelCommand& command) {
  if (fault_.is_set()) return;
  const abi::Kernel& kernel = *command.kernel;
  const std::byte* bytes = command.arguments.bytes();
  values_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    values_.push_back(bytes + kernel.parameters[i].offset);
  }
  const AboutArguments about = look_at_arguments(kernel);
  const abi::LaunchContext context{.version = abi::version,
                                   .dynamic_shared = command.shape.dynamic_shared,
                                   .grid = command.shape.grid,
                                   .block = command.shape.block,
                                   .first_block = {0, 0, 0},
                                   .block_count = command.shape.grid,
                                   .arguments = values_.data(),
                                   .symbols = command.symbols.addresses,
                                   .arrays = nullptr,
                                   .scratch = nullptr,
                                   .distinct_arguments = about.are_distinct,
                                   .small_arguments = about.are_small};
  const DefaultFloatMode mode;  // a helping host thread may have changed its rounding
  has_begun_ = true;
  fault_.report(runner_ ? runner_->run(kernel, context) : device_.begin_part(kernel, context));
}

OneDevice::AboutArguments OneDevice::look_at_arguments(const abi::Kernel& kernel) {
  const bool matters =
      std::any_of(kernel.forms, kernel.forms + kernel.form_count, [](const abi::BlockForm& form) {
        return (form.needs & (abi::needs_distinct_arguments | abi::needs_small_arguments)) != 0;
      });
  if (!matters) return {};
  AboutArguments about{.are_distinct = true, .are_small = true};
  bases_.clear();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (kernel.parameters[i].is_pointer == 0) continue;
    const void* pointer = nullptr;
    std::memcpy(&pointer, values_[i], sizeof pointer);
    if (!pointer) continue;
    const Lookup found = allocations_.find(pointer);
    if (!found.is_held() || !has_one_address(found.allocation.kind)) return {};
    about.are_distinct &= std::ranges::find(bases_, found.allocation.base) == bases_.end();
    bases_.push_back(found.allocation.base);
    about.are_small &= found.allocation.size < small_bytes;
  }
  return about;
}

void OneDevice::run(CopyCommand& command) {
  if (fault_.is_set()) return;
  has_begun_ = true;
  fault_.report(device_.begin_copy(command.to, command.from, command.extent));
  if (command.staged && only_begins_) keep(std::move(command.staged));
}

/// Until the device has copied it.
void OneDevice::keep(std::unique_ptr<char[]> staged) {
  constexpr std::size_t most = 64;
  has_begun_ = false;
  last_mark_ = device_.mark(devices::Marking::exact);
  kept_.emplace_back(last_mark_, std::move(staged));
  if (kept_.size() > most) fault_.report(device_.finish(kept_.front().first));
  while (!kept_.empty() && device_.is_done(kept_.front().first)) kept_.pop_front();
}

void OneDevice::run(FillCommand& command) {
  if (fault_.is_set()) return;
  has_begun_ = true;
  fault_.report(device_.begin_fill(command.to, command.extent, command.value));
}

void OneDevice::run(RecordCommand& command) {
  if (!only_begins_) return command.event->nanoseconds.store(devices::now_nanoseconds());
  marked_ = std::make_shared<EventMarks>(command.event, 1);
  last_mark_ = device_.mark_time();
  has_begun_ = false;
  marked_->marks.front().store(last_mark_);
}

void OneDevice::passed(Sequence sequence) {
  if (!only_begins_) return;
  if (has_begun_) last_mark_ = device_.mark(devices::Marking::loose);
  has_begun_ = false;
  marks_[sequence % remembered].store(last_mark_);
  if (marked_) event_times_.add(sequence, std::move(marked_));
  marked_.reset();
}

bool OneDevice::is_finished(Sequence sequence) const {
  if (!only_begins_ || sequence <= finished_.load(std::memory_order_acquire)) return true;
  if (!device_.is_done(mark_of(sequence))) return false;
  note_finished(sequence);
  return true;
}

void OneDevice::finish(Sequence sequence) {
  if (!only_begins_ || sequence <= finished_.load(std::memory_order_acquire)) return;
  note_finished(sequence);
}

void OneDevice::note_finished(Sequence sequence) const {
  fault_.report(device_.finish(mark_of(sequence)));
  event_times_.settle(sequence);
  Sequence known = finished_.load(std::memory_order_relaxed);
  while (known < sequence && !finished_.compare_exchange_weak(known, sequence)) {
  }
}

}  // namespace gridspan::runtime
