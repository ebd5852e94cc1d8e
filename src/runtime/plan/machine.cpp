// Speeds and links, by device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/machine.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace gridspan::runtime {

namespace {

constexpr double unit = 1e6;       // bytes per second, of a measured speed
constexpr std::uint64_t much = 8;  // times slower
constexpr double about_as_long = 1.125;

unsigned distance(unsigned a, unsigned b) {
  return static_cast<unsigned>(std::abs(static_cast<int>(a) - static_cast<int>(b)));
}

}  // namespace

Machine::Machine(std::vector<std::uint32_t> speeds) : speeds_(std::move(speeds)) { weigh_speeds(); }

Machine::Machine(const devices::Measured& measured)
    : links_(measured.links),
      fastest_(*std::ranges::max_element(measured.memory)),
      beginning_(fastest_ * measured.begin_seconds) {
  for (const double rate : measured.memory)
    speeds_.push_back(static_cast<std::uint32_t>(std::clamp(rate / unit, 1.0, 4e9)));
  weigh_speeds();
}

void Machine::weigh_speeds() {
  const double fastest = *std::ranges::max_element(speeds_);
  for (const std::uint32_t speed : speeds_) working_.push_back(fastest / speed);
}

Machine Machine::slowed_down(const std::vector<double>& slower, bool asks_all) const {
  constexpr double most_speed = 4e9, out = 1e6;
  Machine machine = *this;
  machine.asks_all_ = asks_all;
  machine.is_of_kernel_ = true;
  for (std::size_t i = 0; i < speeds_.size(); ++i) {
    const bool takes_part = slower[i] > 0;
    const double speed = takes_part ? speeds_[i] / slower[i] : 0;
    machine.speeds_[i] =
        takes_part ? static_cast<std::uint32_t>(std::clamp(speed, 1.0, most_speed)) : 0;
    machine.working_[i] = working_[i] * (takes_part ? slower[i] : out);
  }
  return machine;
}

std::vector<std::uint32_t> Machine::speeds_of_fast() const {
  const std::uint64_t fastest = *std::ranges::max_element(speeds_);
  std::vector<std::uint32_t> fast = speeds_;
  for (std::uint32_t& speed : fast) {
    if (much * speed < fastest) speed = 0;
  }
  return std::ranges::count(fast, 0u) != 0 ? fast : std::vector<std::uint32_t>();
}

unsigned Machine::nearest(DeviceSet holders, unsigned device, double bytes) const {
  unsigned beside = holders.first();
  for (unsigned holder = beside; holder < devices(); ++holder) {
    if (holders.contains(holder) && distance(holder, device) < distance(beside, device))
      beside = holder;
  }
  if (!knows_links() || holders.contains(device)) return beside;
  const auto time = [&](unsigned holder) { return links_[holder][device].time(bytes); };
  unsigned best = beside;
  for (unsigned holder = 0; holder < devices(); ++holder) {
    if (holders.contains(holder) && time(holder) < time(best)) best = holder;
  }
  return time(beside) <= about_as_long * time(best) ? beside : best;
}

}  // namespace gridspan::runtime
