// Lines that join, marks behind commands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/streamed_device.h"

#include "runtime/schedule/host_function.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace gridspan::runtime {

using devices::Mark;
using devices::Marking;

StreamedDevice::StreamedDevice(devices::Device& device, GroupRunner* groups)
    : device_(device), groups_(groups), places_(remembered) {}

void StreamedDevice::use_line(unsigned line) {
  joins_every_line_ = line == every_line;
  line_ = joins_every_line_ ? joining_line : std::min<unsigned>(line, devices::max_lines - 1);
}

std::unique_ptr<Moment> StreamedDevice::mark_moment() {
  begin_command();
  return std::make_unique<DeviceMoment>(device_.queue());
}

void StreamedDevice::wait_on_line(Mark mark) {
  if (mark != 0) fault_.report(device_.queue().begin_after(device_, mark));
}

/// What the command has to wait for comes first on its line.
void StreamedDevice::begin_command() {
  has_begun_ = true;
  device_.queue().use_line(line_);
  if (line_ != joining_line) {
    const Mark joining = line_ < free_lines ? lines_[joining_line].last.load() : joined_every_;
    if (std::exchange(lines_[line_].seen, joining) != joining) wait_on_line(joining);
    return;
  }
  const unsigned end = joins_every_line_ ? devices::max_lines : free_lines;
  for (unsigned i = 1; i < end; ++i) {
    const Mark last = lines_[i].last.load();
    if (std::exchange(lines_[i].joined, last) != last) wait_on_line(last);
  }
}

devices::RunResult StreamedDevice::begin(KernelCommand& command) {
  return device_.queue().begin_part(*command.kernel, frame_.of(command));
}

devices::RunResult StreamedDevice::begin(CopyCommand& command) {
  return device_.queue().begin_copy(command.to, command.from, command.extent);
}

devices::RunResult StreamedDevice::begin(FillCommand& command) {
  return device_.queue().begin_fill(command.to, command.extent, command.value);
}

void StreamedDevice::run(KernelCommand& command) {
  if (fault_.is_set()) return;
  begin_command();
  fault_.report(begin(command));
}

/// A stream may wait for something that the program does after this launch.
bool StreamedDevice::comes_to_rest() const {
  constexpr std::chrono::seconds patience{1};
  const auto limit = std::chrono::steady_clock::now() + patience;
  const auto is_done = [this](const Line& line) {
    return device_.queue().is_done(line.last.load());
  };
  while (!std::ranges::all_of(lines_, is_done)) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

GroupRun StreamedDevice::run_group(std::span<KernelCommand* const> window,
                                   const WindowState& state) {
  if (fault_.is_set()) return {};
  if (groups_->waits(window, state)) return {.waits = true};
  WindowState now = state;
  if (groups_->compares()) now.is_quiet = comes_to_rest();
  begin_command();
  const GroupResult done = groups_->run(window, now);
  fault_.report(done.result);
  return {done.launches};
}

void StreamedDevice::run(CopyCommand& command) {
  if (fault_.is_set()) return;
  begin_command();
  fault_.report(begin(command));
  if (command.staged) kept_.keep(device_, std::move(command.staged), fault_);
}

void StreamedDevice::run(FillCommand& command) {
  if (fault_.is_set()) return;
  begin_command();
  fault_.report(begin(command));
}

std::unique_ptr<devices::WorkGraph> StreamedDevice::make_graph(GraphWork& work) {
  std::vector<devices::GraphStep> steps;
  steps.reserve(work.steps.size());
  for (GraphWork::Step& step : work.steps) {
    const auto begin_step = [this, &step] {
      return std::visit([this](auto& one) { return begin(one); }, step.command);
    };
    steps.push_back({begin_step, step.predecessors});
  }
  devices::WorkGraphs* const graphs = device_.queue().graphs();
  return graphs ? graphs->make(steps) : nullptr;
}

void StreamedDevice::run(GraphCommand& command) {
  if (fault_.is_set()) return;
  begin_command();
  GraphWork& work = *command.work;
  if (work.made && !device_.queue().graphs()->is_current(*work.made)) work.made.reset();
  if (!work.made && !work.is_refused) {
    work.made = make_graph(work);
    work.is_refused = !work.made;
  }
  if (work.made) return fault_.report(device_.queue().graphs()->begin(*work.made));
  for (auto& step : work.steps)
    fault_.report(std::visit([this](auto& one) { return begin(one); }, step.command));
}

void StreamedDevice::run(PrefetchCommand& command) {
  if (fault_.is_set()) return;
  begin_command();
  if (devices::HostMemory* const host = device_.host_memory())
    host->begin_prefetch(command.memory, command.bytes, command.to_host);
}

void StreamedDevice::run(RecordCommand& command) {
  begin_command();
  marked_ = std::make_shared<EventMarks>(command.event, 1);
  EventMarks::Place& place = marked_->places.front();
  place.device = &device_;
  place.mark.store(device_.queue().mark_time());
}

void StreamedDevice::run(WaitCommand& command) {
  begin_command();
  if (command.sequence <= finished_.load()) return;
  if (const Mark mark = mark_of(command.sequence)) return wait_on_line(mark);
  for (const Line& line : lines_) wait_on_line(line.last.load());
}

namespace {

void run_and_delete(void* data, bool after_fault) {
  const std::unique_ptr<HostCommand> command(static_cast<HostCommand*>(data));
  run_host_function(*command, after_fault);
}

}  // namespace

void StreamedDevice::run(HostCommand& command) {
  if (!fault_.is_set()) {
    begin_command();
    auto kept = std::make_unique<HostCommand>(command);
    const devices::RunResult begun =
        device_.queue().host_calls()->begin(run_and_delete, kept.get());
    if (begun.fault == devices::Fault::none) return void(kept.release());
    fault_.report(begun);
  }
  run_host_function(command, true);
}

void StreamedDevice::passed(Sequence sequence) {
  Line& line = lines_[line_];
  if (marked_) {
    line.last.store(marked_->places.front().mark.load(), std::memory_order_release);
    event_times_.add(sequence, std::move(marked_));
    marked_.reset();
  } else if (has_begun_) {
    line.last.store(device_.queue().mark(Marking::loose), std::memory_order_release);
  }
  if (joins_every_line_) joined_every_ = line.last.load(std::memory_order_relaxed);
  has_begun_ = false;
  Place& place = places_[sequence % remembered];
  place.sequence.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  place.mark.store(line.last.load(std::memory_order_relaxed), std::memory_order_relaxed);
  place.sequence.store(sequence, std::memory_order_release);
}

/// 0: the line was not used before the command, or the command is long ago.
Mark StreamedDevice::mark_of(Sequence sequence) const {
  const Place& place = places_[sequence % remembered];
  if (place.sequence.load(std::memory_order_acquire) != sequence) return 0;
  const Mark mark = place.mark.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  return place.sequence.load(std::memory_order_relaxed) == sequence ? mark : 0;
}

bool StreamedDevice::is_finished(Sequence sequence) const {
  if (sequence <= finished_.load(std::memory_order_acquire)) return true;
  for (const Line& line : lines_)
    if (!device_.queue().is_done(line.last.load())) return false;
  note_finished(sequence);
  return true;
}

/// What was begun after the command is waited for, too.
void StreamedDevice::finish(Sequence sequence) {
  if (sequence > finished_.load(std::memory_order_acquire)) note_finished(sequence);
}

void StreamedDevice::finish_lines(std::span<const Line> lines) const {
  for (const Line& line : lines)
    if (const Mark last = line.last.load()) finish_mark(last);
  event_times_.settle();
}

void StreamedDevice::note_finished(Sequence sequence) const {
  finish_lines(lines_);
  Sequence known = finished_.load(std::memory_order_relaxed);
  while (known < sequence && !finished_.compare_exchange_weak(known, sequence)) {
  }
}

void StreamedDevice::finish_mark(Mark mark) const { fault_.report(device_.queue().finish(mark)); }

bool StreamedDevice::is_finished_alone(Sequence sequence) const {
  if (sequence <= finished_.load(std::memory_order_acquire)) return true;
  const Mark mark = mark_of(sequence);
  if (mark == 0) {
    event_times_.settle();
    return is_finished(sequence);
  }
  if (!device_.queue().is_done(mark)) return false;
  finish_mark(mark);  // to be told of faults
  event_times_.settle();
  return true;
}

bool StreamedDevice::is_finished_joined(Sequence sequence) const {
  if (sequence <= finished_.load(std::memory_order_acquire)) return true;
  for (const Line& line : joined_lines())
    if (!device_.queue().is_done(line.last.load())) return false;
  finish_lines(joined_lines());
  return true;
}

void StreamedDevice::finish_joined(Sequence sequence) {
  if (sequence > finished_.load(std::memory_order_acquire)) finish_lines(joined_lines());
}

void StreamedDevice::finish_alone(Sequence sequence) {
  if (sequence <= finished_.load(std::memory_order_acquire)) return;
  const Mark mark = mark_of(sequence);
  if (mark == 0) return finish(sequence);
  finish_mark(mark);
  event_times_.settle();
}

}  // namespace gridspan::runtime
