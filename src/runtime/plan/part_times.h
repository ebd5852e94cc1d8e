// How long devices of unlike kinds take for a kernel's parts: who takes part, and with what share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rate at which a device reads its memory says what its share should be where devices are
// alike. A CPU beside a GPU may reach an eighth of the GPU's rate, and a hundredth of its speed in
// a kernel that computes. So parts are timed, per kernel, in nanoseconds for a byte that the model
// says they touch. A device that is not of the fastest one's kind takes no part until its own time
// is known; that is found out with a part of one 256th, of a kernel that has run long enough, in a
// few launches: where these are done in pieces, or the device takes too long, it stays out.
#pragma once

#include "abi/module.h"
#include "devices/command_queue.h"
#include "runtime/plan/machine.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
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

/// All calls come from the thread that plans.
class PartTimes {
 public:
  /// `kinds`: of each device. Where all are of one, nothing is timed.
  PartTimes(std::vector<std::string> kinds, const Machine& machine, bool is_wanted);

  bool is_used() const { return is_used_; }

  /// Looks at parts that are done.
  void look();

  /// Another one whenever `machine_for` the kernel changes.
  std::uint32_t version(const abi::Kernel& kernel);
  /// The machine as the kernel finds it.
  Machine machine_for(const abi::Kernel& kernel);

  /// For a part that touches so many bytes; null if it need not be timed.
  std::shared_ptr<PartClock> clock_for(const abi::Kernel& kernel, unsigned device,
                                       devices::CommandQueue& queue, double bytes);
  /// A launch is carried out in pieces, which are not timed.
  void note_pieces(const abi::Kernel& kernel) { count_asking(kernel, times_of(kernel)); }
  /// Of a part that was timed so.
  void add(const abi::Kernel& kernel, unsigned device, double bytes, double seconds);

  /// Kernels go, and others may come to their addresses.
  void forget();

 private:
  struct Times {
    std::vector<double> per_byte;      // seconds, by device, as plans know them; 0: unknown
    std::vector<double> latest;        // the shortest of the last samples
    std::vector<unsigned> samples;     // by device
    std::vector<std::uint64_t> parts;  // by device
    double spent = 0;                  // seconds, on the fastest device, about
    std::vector<unsigned> asked;       // launches since it is asked, by device; 0: it is not
    std::uint32_t version = 0;
  };
  struct Pending {
    const abi::Kernel* kernel;
    unsigned device;
    double bytes;
    std::shared_ptr<PartClock> clock;
  };

  Times& times_of(const abi::Kernel& kernel);
  bool is_of_fastest_kind(unsigned device) const { return kinds_[device] == kinds_[fastest_]; }
  double slowness(const Times& times, unsigned device) const;
  bool is_being_asked(const Times& times, unsigned device) const;
  void ask_if_due(const abi::Kernel& kernel, Times& times);
  void count_asking(const abi::Kernel& kernel, Times& times);

  const std::vector<std::string> kinds_;
  const Machine& machine_;
  unsigned fastest_ = 0;
  bool is_used_ = false;
  std::unordered_map<const abi::Kernel*, Times> times_;
  std::deque<Pending> pending_;
};

}  // namespace gridspan::runtime
