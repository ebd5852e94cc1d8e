// The code that runs parts of grids, made ready before launches are divided.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver may have to compile that code, which takes it some hundred milliseconds. A program whose
// launches one device can run alone does not wait for that: a thread has the code loaded, and the
// launches stay where they are until it is there. Programs that gain nothing from more devices
// never ask, and have nothing compiled.
//
// The driver lets nobody else use a device for which it compiles (docs/gpu-devices.md). So the home
// device comes last: by then the driver has the code in its cache.
#pragma once

#include "devices/device_code.h"
#include "support/background.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gridspan::runtime {

/// Thread safe.
class PartsAhead {
 public:
  enum class Answer : std::uint8_t { is_loading, is_ready, is_refused };

  /// Of all devices, the home device first; they outlive this.
  explicit PartsAhead(std::vector<devices::DeviceCode*> codes) : codes_(std::move(codes)) {}
  ~PartsAhead() { stop(); }

  /// Whether all devices can run parts of the kernel's grids. The first question begins to find
  /// out; a refusal is logged once.
  Answer ask(const abi::Kernel& kernel);
  /// Nothing that was asked for is being loaded.
  bool is_idle();

  /// Kernels go: nothing is loaded when this returns, and nothing is known.
  void forget();
  /// The same, for good: the process ends.
  void stop();

 private:
  void go_on();
  bool load(const abi::Kernel& kernel) const;
  Answer answer_of(const abi::Kernel& kernel) const;
  void end_loading();

  const std::vector<devices::DeviceCode*> codes_;
  std::atomic<bool> is_ending_{false};  // what is being loaded is no longer wanted
  std::mutex mutex_;                    // of what follows
  bool is_stopped_ = false;
  std::deque<const abi::Kernel*> wanted_;  // one of each module, the one that is loaded in front
  std::unordered_set<const abi::Module*> known_;  // these, and those that were loaded
  std::unordered_map<const abi::Kernel*, Answer> answers_;
  support::Background<bool> loading_;
};

}  // namespace gridspan::runtime
