// The devices and the code that run parts of grids, made ready before launches are divided.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver may have to compile that code, which takes it some hundred milliseconds, as it takes to
// make a device. A program whose launches one device can run alone does not wait for that: a thread
// has devices made and the code loaded, and the launches stay where they are until it is there.
// Programs that gain nothing from more devices never ask, and have nothing made.
//
// The driver lets nobody else use a device for which it compiles (docs/gpu-devices.md). So the home
// device comes last: by then the driver has the code in its cache.
#pragma once

#include "devices/device.h"
#include "devices/lazy_device.h"
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

  /// All devices, the home device first, and those of them that are lazy; they outlive this.
  PartsAhead(std::vector<devices::Device*> devices, devices::LazyDevices& lazy)
      : devices_(std::move(devices)), lazy_(lazy) {}
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
  Answer answer_of(const abi::Kernel& kernel);
  void end_loading();

  const std::vector<devices::Device*> devices_;
  devices::LazyDevices& lazy_;
  std::atomic<bool> is_ending_{false};  // what is being loaded is no longer wanted
  std::mutex mutex_;                    // of what follows
  bool is_stopped_ = false, lacks_device_ = false;
  std::deque<const abi::Kernel*> wanted_;  // one of each module, the one that is loaded in front
  std::unordered_set<const abi::Module*> known_;  // these, and those that were loaded
  std::unordered_map<const abi::Kernel*, Answer> answers_;
  support::Background<bool> loading_;
};

}  // namespace gridspan::runtime
