// From GRIDSPAN_DEVICES to devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/make_devices.h"

#include "devices/cpu/cpu_device.h"
#include "devices/cpu/misuse_log.h"
#include "devices/cpu/vector_math.h"
#include "devices/cuda/cuda_device.h"
#include "devices/describe_devices.h"
#include "devices/failing_device.h"
#include "devices/limited_device.h"
#include "devices/summary.h"

#include <utility>

namespace gridspan::devices {

/// What is checked, where nothing is said.
static cpu::CheckChoice checks_of(const support::Options& options, MemoryMap* memory) {
  if (!options.checks) return {.memory = memory};
  const support::Checks& asked = *options.checks;
  return {.sync = asked.sync,
          .shared_races = asked.race,
          .shared_init = asked.init,
          .memory = memory,
          .global_races = asked.race,
          .early_exits = asked.sync,
          .bounds = asked.memory};
}

support::Result<std::vector<std::unique_ptr<Device>>> make_devices(const support::Options& options,
                                                                   KernelChoice* choice,
                                                                   MemoryMap* memory) {
  const auto all = describe_devices(options.devices, options.threads);
  if (!all) return support::fail(all.error());
  std::vector<DeviceFacts> facts;
  for (const DescribedDevice& one : *all) facts.push_back(one.facts);
  cpu::choose_math(options.math);
  cpu::SharedOptions common;
  common.interpret = options.cpu == support::CpuMode::interpret;
  common.promised_workers = summarise(facts).workers;
  common.misuse = cpu::make_misuse_log(checks_of(options, memory));
  common.choice = choice;
  common.has_own_memory = all->size() > 1;
  std::vector<std::unique_ptr<Device>> made;
  for (const DescribedDevice& one : *all) {
    if (!one.gpu) {
      made.push_back(cpu::make_device(one.facts, common));
      continue;
    }
    auto device = cuda::make_device(*one.gpu);
    if (!device) return support::fail(device.error());
    made.push_back(std::move(*device));
  }
  for (std::size_t i = 1; i < made.size() && options.copy_memory != 0; ++i)
    made[i] = make_limited(std::move(made[i]), options.copy_memory);
  const support::InjectedFailure& failure = options.failure;
  if (failure.kind != support::InjectedFailure::Kind::none && failure.device < made.size()) {
    made[failure.device] = make_failing(std::move(made[failure.device]), failure);
  }
  return made;
}

}  // namespace gridspan::devices
