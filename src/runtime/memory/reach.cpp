// Asked of the devices' facts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/reach.h"

#include <algorithm>

namespace gridspan::runtime {

bool is_in_hosts_reach(const devices::Device& device) { return device.facts().host_reaches_memory; }

devices::HostMemory* pinning_memory(DeviceList devices) {
  for (const auto& device : devices)
    if (devices::HostMemory* const memory = device->host_memory()) return memory;
  return nullptr;
}

devices::Device& mover(devices::Device& to, devices::Device& from) {
  return is_in_hosts_reach(to) && !is_in_hosts_reach(from) ? from : to;
}

bool updates_meet(DeviceList devices) {
  const devices::Device& home = *devices.front();
  const bool is_home_in_reach = is_in_hosts_reach(home);
  return std::ranges::all_of(devices, [&](const auto& device) {
    return is_in_hosts_reach(*device) == is_home_in_reach &&
           (is_home_in_reach || device->facts().place == home.facts().place);
  });
}

}  // namespace gridspan::runtime
