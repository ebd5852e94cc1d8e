// Only what is not known yet is measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/measure/measure.h"

#include "devices/measure/probe.h"
#include "support/log.h"

#include <algorithm>
#include <vector>

namespace gridspan::devices {
namespace {

using support::LogLevel;
using Devices = std::span<const std::unique_ptr<Device>>;

/// True if anything was new.
support::Result<bool> measure_memories(Devices devices, Measurements& found) {
  bool is_new = false;
  for (const auto& device : devices) {
    const std::size_t place = found.index_of(device->facts().place);
    if (found.memory.contains(place)) continue;
    const auto rate = probe_memory(*device);
    if (!rate) return support::fail(rate.error());
    found.memory[place] = *rate;
    is_new = true;
  }
  return is_new;
}

support::Result<bool> measure_links(Devices devices, Measurements& found) {
  bool is_new = false;
  for (const auto& from : devices) {
    for (const auto& to : devices) {
      const std::pair ends{found.index_of(from->facts().place), found.index_of(to->facts().place)};
      if (from == to || found.links.contains(ends)) continue;
      const auto link = probe_link(*from, *to);
      if (!link) return support::fail(link.error());
      found.links[ends] = *link;
      is_new = true;
    }
  }
  return is_new;
}

void tell(const Measured& measured) {
  if (!support::logs(LogLevel::info)) return;
  for (std::size_t from = 0; from < measured.memory.size(); ++from) {
    support::log(LogLevel::info, "device %zu: memory of %.1f GB/s", from,
                 measured.memory[from] / 1e9);
    for (std::size_t to = 0; to < measured.memory.size(); ++to) {
      const Link& link = measured.links[from][to];
      if (from == to) continue;
      support::log(LogLevel::info, "from device %zu to %zu: %.1f us, %.1f GB/s", from, to,
                   link.seconds * 1e6, link.bytes_per_second / 1e9);
    }
  }
}

}  // namespace

Measured measure(Devices devices, support::Measure mode) {
  const bool has_gpu = std::ranges::any_of(
      devices, [](const auto& device) { return device->host_memory() != nullptr; });
  if (devices.size() < 2 || !has_gpu || mode == support::Measure::off) return {};
  std::vector<DeviceFacts> facts;
  for (const auto& device : devices) facts.push_back(device->facts());
  Measurements found = places_of(facts);
  if (mode == support::Measure::once) found = recall(found);
  const auto memories = measure_memories(devices, found);
  const auto links = memories ? measure_links(devices, found) : memories;
  if (!links) {
    support::log(LogLevel::warn, "the devices cannot be measured: %s",
                 links.error().message.c_str());
    return {};
  }
  if (*memories || *links) {
    if (auto kept = remember(found); !kept)
      support::log(LogLevel::info, "measured, but not remembered: %s",
                   kept.error().message.c_str());
  }
  const Measured measured = by_device(found, facts).value_or(Measured{});
  tell(measured);
  return measured;
}

}  // namespace gridspan::devices
