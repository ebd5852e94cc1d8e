// How fast devices' memories and the ways between them were found to be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured belongs to places (DeviceFacts::place): a GPU, so many threads of a CPU. Devices
// of one place share it.
#pragma once

#include "devices/device.h"
#include "support/result.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridspan::devices {

/// Copies from one memory to another.
struct Link {
  double seconds = 0;           // that any copy takes
  double bytes_per_second = 0;  // and how fast it is beyond these

  double time(double bytes) const { return seconds + bytes / bytes_per_second; }
  friend bool operator==(const Link&, const Link&) = default;
};

/// What was measured at some places. As text it is read back as it was.
struct Measurements {
  std::vector<std::string> places;                            // different ones, in order
  std::map<std::size_t, double> memory;                       // bytes per second, of a place
  std::map<std::pair<std::size_t, std::size_t>, Link> links;  // from, to

  std::size_t index_of(const std::string& place) const;

  std::string to_text() const;
  static support::Result<Measurements> parse(std::string_view text);
  friend bool operator==(const Measurements&, const Measurements&) = default;
};

/// The places of these devices, nothing measured yet.
Measurements places_of(std::span<const DeviceFacts> devices);

/// The same by device. Empty: nothing is known.
struct Measured {
  /// What the device reads and writes of its own memory in a second. Devices that are described
  /// alike have the same.
  std::vector<double> memory;
  std::vector<std::vector<Link>> links;  // [from][to]; meaningless from a device to itself
  /// The host's time for each command that a device begins, where all take turns; 0: next to none.
  double begin_seconds = 0;

  bool is_known() const { return !memory.empty(); }
};

/// What is known of the devices; nothing if anything is missing.
std::optional<Measured> by_device(const Measurements& known, std::span<const DeviceFacts> devices);

/// What earlier processes found at these places; nothing if they found nothing.
Measurements recall(const Measurements& places);
/// Leaves it for later ones. The error says why that can't be.
support::Result<void> remember(const Measurements& found);

}  // namespace gridspan::devices
