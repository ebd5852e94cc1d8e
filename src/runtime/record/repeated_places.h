// Commands of a recording go to all devices where they did, else to nobody.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/launch_watcher.h"
#include "runtime/plan/many_devices.h"
#include "runtime/schedule/executor.h"

#include <cstdint>
#include <map>
#include <vector>

namespace gridspan::runtime::record {

/// Stands for HomeOrAll where plans are repeated and nothing is run: what the home device did alone
/// had no plan.
class RepeatedPlaces final : public Executor {
 public:
  /// `places`: Decisions::places. Both outlive this.
  RepeatedPlaces(ManyDevices& all, const std::map<std::uint64_t, std::vector<bool>>& places)
      : all_(all), places_(places) {}

  /// Tells `watcher` of changes of place, and where it is now. Before the first command.
  void watch(LaunchWatcher* watcher) {
    watcher_ = watcher;
    watcher_->place_changed(is_on_all_);
  }

  void run(KernelCommand& command) override { run_in_place(command); }
  void run(CopyCommand& command) override { run_in_place(command); }
  void run(FillCommand& command) override { run_in_place(command); }
  void run(RecordCommand& command) override { run_in_place(command); }
  void passed(Sequence sequence) override {
    all_.passed(sequence);
    next_ = sequence + 1;
  }
  bool is_finished(Sequence sequence) const override { return all_.is_finished(sequence); }
  void finish(Sequence sequence) override { all_.finish(sequence); }
  devices::Fault fault() const override { return all_.fault(); }

 private:
  template <class Command>
  void run_in_place(Command& command) {
    if (const auto places = places_.find(next_); places != places_.end())
      for (const bool on_all : places->second)
        if (on_all != is_on_all_) change();
    if (is_on_all_) return all_.run(command);
    all_.forget_released();
  }
  void change() {
    is_on_all_ = !is_on_all_;
    is_on_all_ ? all_.take_from_home() : all_.bring_home();
    if (watcher_) watcher_->place_changed(is_on_all_);
  }

  ManyDevices& all_;
  const std::map<std::uint64_t, std::vector<bool>>& places_;
  LaunchWatcher* watcher_ = nullptr;
  bool is_on_all_ = false;
  Sequence next_ = 1;  // the command that runs
};

}  // namespace gridspan::runtime::record
