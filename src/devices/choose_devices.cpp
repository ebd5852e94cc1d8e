// Asks each kind that can list its devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/choose_devices.h"

#include "devices/kinds.h"

#include <algorithm>

namespace gridspan::devices {

const char* option_for_cpus(const support::Options& options) {
  if (options.verify) return "GRIDSPAN_VERIFY";
  if (!options.record.empty()) return "GRIDSPAN_RECORD";
  if (options.replay.mode != support::Replay::Mode::none) return "GRIDSPAN_REPLAY";
  if (options.isolate) return "GRIDSPAN_ISOLATE";
  if (options.virtual_gpus > 1) return "GRIDSPAN_VIRTUAL_GPUS";
  return nullptr;
}

/// And those that say how a CPU is to run kernels.
static const char* option_of_cpus(const support::Options& options) {
  if (options.threads != 0) return "GRIDSPAN_THREADS";
  if (options.cpu == support::CpuMode::interpret) return "GRIDSPAN_CPU";
  return option_for_cpus(options);
}

DeviceChoice choose_devices(const support::Options& options) {
  if (!options.chooses_devices || options.no_device) return {options.devices, {}};
  const std::vector<support::DeviceTerm> cpu{support::DeviceTerm{}};
  if (const char* const option = option_of_cpus(options))
    return {cpu, std::string(option) + " is set"};
  std::string why = "no kind of GPU is known";
  for (const Kind& kind : kinds()) {
    if (!kind.list) continue;
    const auto listed = kind.list();
    if (!listed) {
      why = listed.error().message;
      continue;
    }
    std::uint32_t capability = 0;
    for (const ListedDevice& one : *listed) {
      if (!one.lack.empty()) {
        why = one.term + ": " + one.lack;
        continue;
      }
      capability =
          capability == 0 ? one.facts.capability : std::min(capability, one.facts.capability);
    }
    if (capability == 0) continue;
    support::DeviceTerm term;
    term.word = kind.name;
    return {{term}, {}, capability};
  }
  return {cpu, why};
}

}  // namespace gridspan::devices
