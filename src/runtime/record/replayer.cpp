// Records become commands again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/replayer.h"

#include "devices/make_devices.h"
#include "runtime/plan/policy.h"
#include "runtime/record/decisions.h"
#include "runtime/record/forecaster.h"
#include "runtime/record/recording_executor.h"
#include "runtime/record/repeated_places.h"
#include "runtime/record/replay_commands.h"
#include "runtime/record/replay_memory.h"
#include "runtime/record/replay_modules.h"
#include "runtime/schedule/one_device.h"

#include <cstring>
#include <memory>
#include <vector>

namespace gridspan::runtime::record {

namespace {

using support::Result;

Pitched packed(char* bytes, const BoxExtent& extent) {
  return {bytes, extent.width, extent.width * extent.height};
}

/// Everything here lives to the end of the process, as the devices' queues do.
class Replayer {
 public:
  Replayer(const support::Options& options, LogReader reader,
           std::vector<std::unique_ptr<devices::Device>> devices, Decisions decisions)
      : runs_(options.replay.mode == support::Replay::Mode::run),
        file_(options.replay.file),
        reader_(std::move(reader)),
        devices_(std::move(devices)),
        decisions_(std::move(decisions)) {
    Policy policy = policy_of(options);
    policy.runs = runs_;
    if (runs_ && !is_planned(options, devices_.size())) {
      executor_ = new OneDevice(*devices_.front(), table_);
    } else {
      executor_ = many_ =
          new ManyDevices(devices_, table_, options.isolate, policy, decisions_.measured);
      many_->only_repeat();
      if (!decisions_.places.empty())
        executor_ = places_ = new RepeatedPlaces(*many_, decisions_.places);
    }
  }

  Result<void> start_recording(const support::Options& options) {
    if (options.record.empty()) return {};
    auto recorder = Recorder::start(options, devices_);
    if (!recorder) return support::fail(recorder.error());
    recorder_ = std::move(*recorder);
    if (decisions_.measured.is_known()) recorder_->write(measured_note(decisions_.measured));
    executor_ = recording_ = new RecordingExecutor(*recorder_, *executor_, many_, table_);
    if (places_) places_->watch(recording_);
    return {};
  }

  Result<void> replay() {
    for (;;) {
      auto record = reader_.next();
      if (!record) return support::fail(record.error());
      if (!*record) break;
      auto done = std::visit([this](const auto& one) { return take(one); }, **record);
      if (!done) return done;
    }
    executor_->finish(passed_);
    if (recorder_) recorder_->end();
    return {};
  }

 private:
  /// What needs nothing done.
  template <class T>
  Result<void> take(const T&) {
    return {};
  }

  Result<void> take(const Header& header) {
    if (!runs_ || header.has_data) return {};
    return support::fail(file_ +
                         ": holds no contents of memory, which running kernels needs; record it "
                         "with gridspan record --data");
  }

  Result<void> take(const ModuleNote& note) {
    modules_.add(note);
    return {};
  }

  Result<void> take(const MemoryNote& note) {
    if (note.kind >= memory_kinds) return broken("memory of no kind");
    const auto kind = static_cast<MemoryKind>(note.kind);
    if (note.held) {
      table_.insert({note.base, note.size, kind, note.flags});
      return {};
    }
    executor_->finish(passed_);
    table_.forget(reinterpret_cast<void*>(note.base), kind);
    if (many_) many_->released(note.base);
    if (recording_) recording_->released(note.base);
    return {};
  }

  Result<void> take(const ImageNote& note) {
    executor_->finish(passed_);
    auto placed = modules_.place(note, runs_);
    return placed ? placed : broken(placed.error().message);
  }

  Result<void> take(const ContentsNote& note) {
    if (!runs_) return {};
    auto bytes = reader_.bytes(note.bytes);
    if (!bytes) return support::fail(bytes.error());
    executor_->finish(passed_);
    std::memcpy(reinterpret_cast<void*>(note.base), bytes->data(), bytes->size());
    return {};
  }

  Result<void> take(const StackNote& note) {
    executor_->finish(passed_);
    for (const auto& device : devices_)
      device->queue().set_limit(devices::Limit::stack_bytes, note.bytes);
    return {};
  }

  Result<void> take(const LaunchNote& note) {
    auto command = command_of(note, modules_);
    if (!command) return broken(command.error().message);
    const auto shares = decisions_.shares.find(note.command);
    if (many_ && shares != decisions_.shares.end()) many_->repeat(*command->kernel, shares->second);
    return feed(note.command, *command);
  }

  Result<void> take(const CopyNote& note) {
    if (note.to.is_host && note.from.is_host) return {};  // the program's own business
    CopyCommand command{pitched(note.to), pitched(note.from), extent(note.extent), nullptr};
    if (!runs_) return feed(note.command, command);
    if (note.from.is_host) {
      auto bytes = reader_.bytes(note.data);
      if (!bytes) return support::fail(bytes.error());
      if (bytes->size() != note.extent.bytes()) return broken("a copy with too little data");
      command.staged.reset(new char[bytes->size()]);
      std::memcpy(command.staged.get(), bytes->data(), bytes->size());
      command.from = packed(command.staged.get(), note.extent);
    }
    if (note.to.is_host) {
      brought_.resize(note.extent.bytes());
      command.to = packed(brought_.data(), note.extent);
    }
    auto done = feed(note.command, command);
    if (note.to.is_host) executor_->finish(passed_);
    return done;
  }

  Result<void> take(const FillNote& note) {
    FillCommand command{pitched(note.to), extent(note.extent), note.value};
    return feed(note.command, command);
  }

  template <class Command>
  Result<void> feed(std::uint64_t number, Command& command) {
    if (number <= passed_) return broken("commands out of order");
    if (number > passed_ + 1) executor_->passed(number - 1);  // markers and host functions
    executor_->run(command);
    executor_->passed(number);
    passed_ = number;
    return {};
  }

  tl::unexpected<support::Error> broken(const std::string& what) const {
    return support::fail(file_ + ": makes no sense: " + what + ", after command " +
                         std::to_string(passed_));
  }

  const bool runs_;
  const std::string file_;
  LogReader reader_;
  std::vector<std::unique_ptr<devices::Device>> devices_;
  const Decisions decisions_;
  AllocationTable table_;
  ManyDevices* many_ = nullptr;
  RepeatedPlaces* places_ = nullptr;
  Executor* executor_ = nullptr;
  std::unique_ptr<Recorder> recorder_;
  RecordingExecutor* recording_ = nullptr;
  std::uint64_t passed_ = 0;
  ReplayModules modules_;
  std::vector<char> brought_;  // by the last copy to the host
};

/// Needs no queue and no memory.
Result<void> forecast(const support::Options& options,
                      const std::vector<std::unique_ptr<devices::Device>>& devices) {
  auto recorder = Recorder::start(options, devices);
  if (!recorder) return support::fail(recorder.error());
  auto done = forecast_recording(options.replay.file, devices.front()->facts(), **recorder);
  if (done) (*recorder)->end();
  return done;
}

}  // namespace

Result<void> replay_recording(const support::Options& options) {
  auto reader = LogReader::open(options.replay.file);
  if (!reader) return support::fail(reader.error());
  if (options.replay.mode == support::Replay::Mode::run) {
    if (auto mapped = map_recorded_memory(options.replay.file); !mapped) return mapped;
  }
  auto devices = devices::make_devices(options);
  if (!devices) return support::fail(devices.error());
  if (options.replay.mode == support::Replay::Mode::fuse) return forecast(options, *devices);
  std::vector<std::string> names;
  for (const auto& device : *devices) names.push_back(device->facts().name);
  auto decisions = decisions_of(options.replay.file, names);
  if (!decisions) return support::fail(decisions.error());
  auto& replayer =
      *new Replayer(options, std::move(*reader), std::move(*devices), std::move(*decisions));
  if (auto started = replayer.start_recording(options); !started) return started;
  return replayer.replay();
}

}  // namespace gridspan::runtime::record
