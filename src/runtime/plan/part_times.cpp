// Samples, and what follows from them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/part_times.h"

#include "support/log.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridspan::runtime {

namespace {

constexpr unsigned first_samples = 3;      // of which the first loads code, and does not count
constexpr std::uint64_t seldom = 64;       // parts from one later sample to the next
constexpr double other = 1.25;             // times as long as plans know: they are made anew
constexpr double asking = 256;             // times slower than the fastest, while it is found out
constexpr unsigned most_asking = 64;       // launches, after which it is given up
constexpr std::uint64_t worth_asking = 8;  // of memories: a device that is slower takes no part
constexpr double long_enough = 0.05;       // seconds that a kernel took before others are asked
constexpr std::uint64_t most_patience = std::uint64_t{1} << 20;  // launches

}  // namespace

void PartClock::end() {
  end_ = queue_.mark_time();
  has_ended_.store(true, std::memory_order_release);
}

double PartClock::seconds() const {
  const std::int64_t begin = queue_.time_of(begin_);
  return 1e-9 * static_cast<double>(queue_.time_of(end_) - begin);
}

PartTimes::PartTimes(std::vector<std::string> kinds, const Machine& machine, bool is_wanted)
    : kinds_(std::move(kinds)), machine_(machine) {
  const std::vector<std::uint32_t>& speeds = machine.speeds();
  fastest_ = static_cast<unsigned>(std::ranges::max_element(speeds) - speeds.begin());
  is_used_ = is_wanted && std::ranges::any_of(kinds_, [&](const std::string& kind) {
               return kind != kinds_[fastest_];
             });
}

PartTimes::Times& PartTimes::times_of(const abi::Kernel& kernel) {
  Times& times = times_[&kernel];
  times.devices.resize(kinds_.size());
  return times;
}

std::uint32_t PartTimes::version(const abi::Kernel& kernel) {
  Times& times = times_of(kernel);
  ++times.launches;
  if (only_repeats_) return times.version;
  count_asking(kernel, times);
  ask_again_if_due(kernel, times);
  return times.version;
}

void PartTimes::repeat(const abi::Kernel& kernel, Shares shares) {
  Times& times = times_of(kernel);
  if (shares.slowness.size() != kinds_.size() || times.given == shares) return;
  times.given = std::move(shares);
  ++times.version;
}

std::optional<Shares> PartTimes::take_news(const abi::Kernel& kernel) {
  Times& times = times_of(kernel);
  if (std::exchange(times.told, times.version) == times.version) return std::nullopt;
  return shares_of(times);
}

/// It has a part until enough of them are begun. Their times come later: the host may be hundreds
/// of launches ahead, and each of these would wait for the slow device.
bool PartTimes::has_trial_part(const OfDevice& of) {
  return of.asked != 0 && of.parts < first_samples;
}

/// As a divisor of the device's speed; 0: it takes no part. One that is asked has a part that is
/// not too small to be cut.
double PartTimes::slowness(const Times& times, unsigned device) const {
  if (is_of_fastest_kind(device)) return 1;
  const OfDevice& of = times.devices[device];
  const double memories = 1.0 * machine_.speeds()[device] / machine_.speeds()[fastest_];
  const OfDevice& fastest = times.devices[fastest_];
  const bool is_known = of.per_byte > 0 && fastest.per_byte > 0;
  if (!is_known) return has_trial_part(of) ? asking * memories : 0;
  double times_slower = of.per_byte / fastest.per_byte;
  if (has_trial_part(of)) times_slower = std::min(times_slower, asking);
  if (has_trial_part(fastest)) times_slower = std::max(times_slower, 1 / asking);
  return times_slower * memories;
}

Shares PartTimes::shares_of(const Times& times) const {
  if (times.given) return *times.given;
  Shares shares;
  for (unsigned device = 0; device < kinds_.size(); ++device) {
    const double slower = slowness(times, device);
    const auto millionths = static_cast<std::uint64_t>(std::llround(1e6 * slower));
    shares.slowness.push_back(slower > 0 ? std::max<std::uint64_t>(millionths, 1) : 0);
    shares.asks_all |= has_trial_part(times.devices[device]);
  }
  return shares;
}

Machine PartTimes::machine_for(const abi::Kernel& kernel) {
  const Shares shares = shares_of(times_of(kernel));
  std::vector<double> slower;
  for (const std::uint64_t millionths : shares.slowness)
    slower.push_back(1e-6 * static_cast<double>(millionths));
  return machine_.slowed_down(slower, shares.asks_all);
}

std::shared_ptr<PartClock> PartTimes::clock_for(const abi::Kernel& kernel, unsigned device,
                                                devices::CommandQueue& queue, double bytes) {
  if (only_repeats_) return nullptr;
  Times& times = times_of(kernel);
  OfDevice& of = times.devices[device];
  const std::uint64_t parts = of.parts++;
  if (of.asked != 0 && of.parts == first_samples) ++times.version;
  if (device == fastest_) {
    times.spent += of.per_byte * bytes;
    ask_if_due(kernel, times);
  }
  if (bytes <= 0 || (parts >= first_samples && parts % seldom != 0)) return nullptr;
  auto clock = std::make_shared<PartClock>(queue);
  pending_.push_back({&kernel, device, bytes, clock});
  return clock;
}

void PartTimes::look() {
  while (!pending_.empty()) {
    const Pending& first = pending_.front();
    // Work that is left out after a fault goes, and leaves its clock to this.
    const bool is_gone = first.clock.use_count() == 1;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (first.clock->is_done())
      add(*first.kernel, first.device, first.bytes, first.clock->seconds());
    else if (!is_gone || first.clock->has_ended())
      return;
    pending_.pop_front();
  }
}

void PartTimes::add(const abi::Kernel& kernel, unsigned device, double bytes, double seconds) {
  Times& times = times_of(kernel);
  OfDevice& of = times.devices[device];
  of.timed_at = times.launches;
  const unsigned sample = of.samples++;
  if (sample == 0) return;
  const double now = std::max(seconds, 1e-9) / bytes;
  of.latest = of.latest == 0 || sample >= first_samples ? now : std::min(of.latest, now);
  if (sample + 1 < first_samples) return;
  const bool is_as_known =
      of.per_byte != 0 && of.latest < of.per_byte * other && of.per_byte < of.latest * other;
  const bool has_answered = std::exchange(of.asked, 0) != 0;
  if (is_as_known && has_answered) of.patience = std::min(2 * of.patience, most_patience);
  if (is_as_known && !has_answered) return;
  if (!is_as_known) {
    of.per_byte = of.latest;
    of.patience = usual_patience;
  }
  ++times.version;
  if (!support::logs(support::LogLevel::debug)) return;
  support::log(support::LogLevel::debug, "%s: device %u takes %.3g ns for a byte", kernel.name,
               device, of.per_byte * 1e9);
}

void PartTimes::ask(const abi::Kernel& kernel, Times& times, unsigned device) {
  OfDevice& of = times.devices[device];
  of.asked = 1;
  of.was_asked = true;
  of.samples = 0;
  of.parts = 0;
  of.latest = 0;
  of.timed_at = times.launches;
  ++times.version;
  support::log(support::LogLevel::debug, "%s: it is measured what device %u takes", kernel.name,
               device);
}

/// What is known to be much slower in its memory is not faster in anything.
void PartTimes::ask_if_due(const abi::Kernel& kernel, Times& times) {
  if (times.spent < long_enough) return;
  for (unsigned device = 0; device < kinds_.size(); ++device) {
    const std::uint64_t speed = machine_.speeds()[device];
    const bool is_worth_it = worth_asking * speed >= machine_.speeds()[fastest_];
    if (is_of_fastest_kind(device) || times.devices[device].was_asked || !is_worth_it) continue;
    ask(kernel, times, device);
  }
}

/// One that was asked before, or takes part by its kind, and was not timed for long.
void PartTimes::ask_again_if_due(const abi::Kernel& kernel, Times& times) {
  for (unsigned device = 0; device < kinds_.size(); ++device) {
    const OfDevice& of = times.devices[device];
    const bool is_known = of.was_asked || of.per_byte > 0;
    if (is_known && of.asked == 0 && times.launches - of.timed_at > of.patience)
      ask(kernel, times, device);
  }
}

void PartTimes::count_asking(const abi::Kernel& kernel, Times& times) {
  for (unsigned device = 0; device < kinds_.size(); ++device) {
    OfDevice& of = times.devices[device];
    if (of.asked == 0 || ++of.asked <= most_asking) continue;
    of.asked = 0;
    of.patience = std::min(2 * of.patience, most_patience);
    ++times.version;
    support::log(support::LogLevel::debug, "%s: device %u takes no part: it was not timed",
                 kernel.name, device);
  }
}

void PartTimes::forget() {
  look();
  times_.clear();
  pending_.clear();
}

}  // namespace gridspan::runtime
