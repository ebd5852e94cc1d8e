// How long devices of unlike kinds take for a kernel's parts: who takes part, and with what share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rate at which a device reads its memory says what its share should be where devices are
// alike. A CPU beside a GPU may reach an eighth of the GPU's rate, and a hundredth of its speed in
// a kernel that computes. So parts are timed, per kernel, in nanoseconds for a byte that the model
// says they touch. A device that is not of the fastest one's kind takes no part until its own time
// is known; that is found out with a part of one 256th, of a kernel that has run long enough, in a
// few launches: where these are done in pieces, or the device takes too long, it stays out.
//
// Devices become slower and faster while a program runs. Those that take part are timed now and
// then. One that does not, because it is much slower, is asked again after 1024 launches of the
// kernel, and after twice as many each time that nothing has changed.
#pragma once

#include "abi/module.h"
#include "devices/command_queue.h"
#include "runtime/plan/machine.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime {

/// Begin and end of one part on its device.
class PartClock {
 public:
  explicit PartClock(devices::CommandQueue& queue) : queue_(queue) {}

  /// By who runs the part, before and after it.
  void begin() { begin_ = queue_.mark_time(); }
  void end();

  bool has_ended() const { return has_ended_.load(std::memory_order_acquire); }
  bool is_done() const { return has_ended() && queue_.is_done(end_); }
  /// Once, when it is done.
  double seconds() const;

 private:
  devices::CommandQueue& queue_;
  devices::Mark begin_ = 0, end_ = 0;
  std::atomic<bool> has_ended_{false};
};

/// Who takes part in a kernel's launches, and how much.
struct Shares {
  /// By how many millionths each device is as slow as its memory says; 0: it takes no part.
  std::vector<std::uint64_t> slowness;
  bool asks_all = false;  // all that take part have a part, to be timed

  friend bool operator==(const Shares&, const Shares&) = default;
};

/// All calls come from the thread that plans.
class PartTimes {
 public:
  /// `kinds`: of each device. Where all are of one, nothing is timed.
  PartTimes(std::vector<std::string> kinds, const Machine& machine, bool is_wanted);

  bool is_used() const { return is_used_; }

  /// Nothing is timed: shares are those that are given (gridspan replay).
  void only_repeat() { only_repeats_ = true; }
  void repeat(const abi::Kernel& kernel, Shares shares);

  /// Looks at parts that are done.
  void look();

  /// At a launch of the kernel: another one whenever `machine_for` it has changed.
  std::uint32_t version(const abi::Kernel& kernel);
  /// The shares as they are since the last call, if they have changed.
  std::optional<Shares> take_news(const abi::Kernel& kernel);
  /// The machine as the kernel finds it.
  Machine machine_for(const abi::Kernel& kernel);

  /// For a part that touches so many bytes; null if it need not be timed.
  std::shared_ptr<PartClock> clock_for(const abi::Kernel& kernel, unsigned device,
                                       devices::CommandQueue& queue, double bytes);
  /// Of a part that was timed so.
  void add(const abi::Kernel& kernel, unsigned device, double bytes, double seconds);

  /// Kernels go, and others may come to their addresses.
  void forget();

 private:
  static constexpr std::uint64_t usual_patience = 1024;  // launches
  struct OfDevice {
    double per_byte = 0;      // seconds, as plans know them; 0: unknown
    double latest = 0;        // the shortest of the last samples
    unsigned samples = 0;     // since it is asked
    std::uint64_t parts = 0;  // since it is asked
    unsigned asked = 0;       // launches since it is asked; 0: it is not
    bool was_asked = false;
    std::uint64_t timed_at = 0;  // launch, at which it was timed or asked last
    std::uint64_t patience = usual_patience;
  };
  struct Times {
    std::vector<OfDevice> devices;
    double spent = 0;            // seconds, on the fastest device, about
    std::uint64_t launches = 0;  // of the kernel
    std::uint32_t version = 0, told = 0;
    std::optional<Shares> given;
  };
  struct Pending {
    const abi::Kernel* kernel;
    unsigned device;
    double bytes;
    std::shared_ptr<PartClock> clock;
  };

  Times& times_of(const abi::Kernel& kernel);
  bool is_of_fastest_kind(unsigned device) const { return kinds_[device] == kinds_[fastest_]; }
  static bool has_trial_part(const OfDevice& of);
  double slowness(const Times& times, unsigned device) const;
  Shares shares_of(const Times& times) const;
  void ask(const abi::Kernel& kernel, Times& times, unsigned device);
  void ask_if_due(const abi::Kernel& kernel, Times& times);
  void ask_again_if_due(const abi::Kernel& kernel, Times& times);
  void count_asking(const abi::Kernel& kernel, Times& times);

  const std::vector<std::string> kinds_;
  const Machine& machine_;
  unsigned fastest_ = 0;
  bool is_used_ = false, only_repeats_ = false;
  std::unordered_map<const abi::Kernel*, Times> times_;
  std::deque<Pending> pending_;
};

}  // namespace gridspan::runtime
