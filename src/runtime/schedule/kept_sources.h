// What copies that are only begun read, kept until the device has read it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/schedule/first_fault.h"

#include <deque>
#include <memory>
#include <utility>

namespace gridspan::runtime {

/// Of one device; called as its `begin_` calls are.
class KeptSources {
 public:
  /// Until what was begun on the device's line so far is done. Waits for the oldest if there are
  /// many.
  void keep(devices::Device& device, std::shared_ptr<char[]> memory, FirstFault& fault) {
    kept_.emplace_back(device.queue().mark(devices::Marking::exact), std::move(memory));
    if (kept_.size() > most) fault.report(device.queue().finish(kept_.front().first));
    while (!kept_.empty() && device.queue().is_done(kept_.front().first)) kept_.pop_front();
  }

 private:
  static constexpr std::size_t most = 64;
  std::deque<std::pair<devices::Mark, std::shared_ptr<char[]>>> kept_;
};

}  // namespace gridspan::runtime
