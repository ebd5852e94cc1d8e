// Several devices described as the one that programs see.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/summary.h"

#include <algorithm>

namespace gridspan::devices {
namespace {

/// The smallest that is known (not 0), or 0.
void keep_least(std::uint32_t& least, std::uint32_t value) {
  if (value != 0 && (least == 0 || value < least)) least = value;
}

/// Each processor once, in the order of the devices.
std::string processors(std::span<const DeviceFacts> devices) {
  std::vector<std::string> names;
  for (const DeviceFacts& device : devices) {
    if (std::find(names.begin(), names.end(), device.processor) == names.end()) {
      names.push_back(device.processor);
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " + ") + name;
  return text;
}

/// What programs are told of several GPUs is where the first one is, and what each of them can do.
std::shared_ptr<const GpuFacts> summarise_gpus(std::span<const DeviceFacts> devices) {
  if (!devices.front().gpu) return nullptr;
  auto sum = std::make_shared<GpuFacts>(*devices.front().gpu);
  constexpr int pci_bus = 33, pci_slot = 34, pci_domain = 50;
  for (const DeviceFacts& device : devices) {
    if (!device.gpu) continue;
    for (auto& [number, value] : sum->attributes) {
      if (number == pci_bus || number == pci_slot || number == pci_domain) continue;
      value = std::min(value, device.gpu->attribute(number).value_or(0));
    }
  }
  return sum;
}

}  // namespace

DeviceFacts summarise(std::span<const DeviceFacts> devices) {
  if (devices.size() == 1) return devices.front();
  DeviceFacts sum;
  for (const DeviceFacts& device : devices) {
    // CPU devices of one machine have shares of its memory, so the sum is never more than there is.
    sum.memory_bytes += device.memory_bytes;
    sum.workers += device.workers;
    keep_least(sum.clock_khz, device.clock_khz);
    keep_least(sum.memory_clock_khz, device.memory_clock_khz);
    keep_least(sum.max_shared_per_block, device.max_shared_per_block);
    // Programs size blockings by it: the cache of one device, not of all, is what a part has.
    keep_least(sum.l2_bytes, device.l2_bytes);
    keep_least(sum.core_cache_bytes, device.core_cache_bytes);
    if (device.capability != 0) keep_least(sum.capability, device.capability);
    if (!device.host_reaches_memory) sum.host_reaches_memory = false;
    sum.cpus.insert(sum.cpus.end(), device.cpus.begin(), device.cpus.end());
  }
  std::sort(sum.cpus.begin(), sum.cpus.end());
  sum.cpus.erase(std::unique(sum.cpus.begin(), sum.cpus.end()), sum.cpus.end());
  sum.processor = processors(devices);
  sum.gpu = summarise_gpus(devices);
  sum.name = "Gridspan, " + std::to_string(devices.size()) + " devices (" + sum.processor + ", " +
             std::to_string(sum.workers) + " threads)";
  return sum;
}

}  // namespace gridspan::devices
