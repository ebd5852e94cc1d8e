// How fast devices and the ways between them are, as plans see it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data, fixed when the program starts: plans depend on it, and never on a clock. What is
// counted are bytes; a byte that the fastest device works on is one.
#pragma once

#include "devices/measure/measured.h"
#include "runtime/plan/device_set.h"

#include <cstdint>
#include <vector>

namespace gridspan::runtime {

class Machine {
 public:
  /// Devices of these speeds, the home device first. Of links nothing is known: all are alike.
  explicit Machine(std::vector<std::uint32_t> speeds);
  explicit Machine(const devices::Measured& measured);

  std::size_t devices() const { return speeds_.size(); }
  /// In some unit that all share; parts get blocks in proportion.
  const std::vector<std::uint32_t>& speeds() const { return speeds_; }

  /// Atomic updates of the host's memory by one device are none to another.
  void keeps_host_updates_apart() { shares_host_updates_ = false; }
  bool shares_host_updates() const { return shares_host_updates_; }

  /// The same as a kernel finds it, with each device so many times slower; 0: it takes no part.
  /// `asks_all`: the others do, however slow.
  Machine slowed_down(const std::vector<double>& slower, bool asks_all) const;
  bool asks_all() const { return asks_all_; }
  bool is_of_kernel() const { return is_of_kernel_; }

  /// The same without devices that are much slower than the fastest: their speed is 0. Empty if
  /// there is none.
  std::vector<std::uint32_t> speeds_of_fast() const;

  /// From which of `holders`, at least one, to copy so many bytes to `device`. By index where links
  /// take about as long: devices of one node are neighbours.
  unsigned nearest(DeviceSet holders, unsigned device, double bytes) const;

  /// What it counts to move a byte to the device from the nearest holder, or from one device.
  double moving(DeviceSet holders, unsigned device, double bytes) const {
    return knows_links() ? moving(nearest(holders, device, bytes), device) : 1;
  }
  double moving(unsigned from, unsigned to) const {
    return knows_links() && from != to ? fastest_ / links_[from][to].bytes_per_second : 1;
  }
  /// What the fastest device works on in so many seconds; next to nothing if nobody measured.
  double bytes_in(double seconds) const { return fastest_ * seconds; }
  /// What it counts to begin a part or a copy; 0 if nobody knows.
  double beginning() const { return beginning_; }
  /// What it counts to work on a byte.
  double working(unsigned device) const { return working_[device]; }

 private:
  bool knows_links() const { return !links_.empty(); }
  void weigh_speeds();

  std::vector<std::uint32_t> speeds_;
  std::vector<double> working_;
  std::vector<std::vector<devices::Link>> links_;
  double fastest_ = 1;  // bytes per second
  double beginning_ = 0;
  bool shares_host_updates_ = true;
  bool asks_all_ = false, is_of_kernel_ = false;
};

}  // namespace gridspan::runtime
