// Samples, and what follows from them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/part_times.h"

#include "support/log.h"

#include <algorithm>
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
  if (times.samples.empty()) {
    times.per_byte.resize(kinds_.size());
    times.latest.resize(kinds_.size());
    times.samples.resize(kinds_.size());
    times.parts.resize(kinds_.size());
    times.asked.resize(kinds_.size());
  }
  return times;
}

std::uint32_t PartTimes::version(const abi::Kernel& kernel) { return times_of(kernel).version; }

/// As a divisor of the device's speed; 0: it takes no part.
double PartTimes::slowness(const Times& times, unsigned device) const {
  if (is_of_fastest_kind(device)) return 1;
  const double speed = machine_.speeds()[device], fastest = machine_.speeds()[fastest_];
  const double own = times.per_byte[device], best = times.per_byte[fastest_];
  if (own > 0 && best > 0) return (own / best) * (speed / fastest);
  return is_being_asked(times, device) ? asking * speed / fastest : 0;
}

bool PartTimes::is_being_asked(const Times& times, unsigned device) const {
  return times.per_byte[device] == 0 && times.asked[device] != 0 &&
         times.asked[device] <= most_asking;
}

Machine PartTimes::machine_for(const abi::Kernel& kernel) {
  const Times& times = times_of(kernel);
  std::vector<double> slower;
  bool asks = false;
  for (unsigned device = 0; device < kinds_.size(); ++device) {
    slower.push_back(slowness(times, device));
    asks |= is_being_asked(times, device);
  }
  return machine_.slowed_down(slower, asks);
}

std::shared_ptr<PartClock> PartTimes::clock_for(const abi::Kernel& kernel, unsigned device,
                                                devices::CommandQueue& queue, double bytes) {
  Times& times = times_of(kernel);
  const std::uint64_t parts = times.parts[device]++;
  if (device == fastest_) {
    times.spent += times.per_byte[device] * bytes;
    ask_if_due(kernel, times);
    count_asking(kernel, times);
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
  const unsigned sample = times.samples[device]++;
  if (sample == 0) return;
  const double now = std::max(seconds, 1e-9) / bytes;
  double& latest = times.latest[device];
  latest = latest == 0 || sample >= first_samples ? now : std::min(latest, now);
  double& known = times.per_byte[device];
  if (sample + 1 < first_samples) return;
  if (known != 0 && latest < known * other && known < latest * other) return;
  known = latest;
  ++times.version;
  if (!support::logs(support::LogLevel::debug)) return;
  support::log(support::LogLevel::debug, "%s: device %u takes %.3g ns for a byte", kernel.name,
               device, known * 1e9);
}

/// What is known to be much slower in its memory is not faster in anything.
void PartTimes::ask_if_due(const abi::Kernel& kernel, Times& times) {
  if (times.spent < long_enough) return;
  for (unsigned device = 0; device < kinds_.size(); ++device) {
    const std::uint64_t speed = machine_.speeds()[device];
    const bool is_worth_it = worth_asking * speed >= machine_.speeds()[fastest_];
    if (is_of_fastest_kind(device) || times.asked[device] != 0 || !is_worth_it) continue;
    times.asked[device] = 1;
    ++times.version;
    support::log(support::LogLevel::debug, "%s: it is measured what device %u takes", kernel.name,
                 device);
  }
}

void PartTimes::count_asking(const abi::Kernel& kernel, Times& times) {
  for (unsigned device = 0; device < kinds_.size(); ++device) {
    if (!is_being_asked(times, device) || ++times.asked[device] <= most_asking) continue;
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
