// CPU devices as the settings want them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/maker.h"
#include "devices/cpu/cpu_device.h"
#include "devices/cpu/instruction_set.h"
#include "devices/cpu/misuse_log.h"
#include "devices/cpu/vector_math.h"
#include "devices/summary.h"

#include <vector>

namespace gridspan::devices::cpu {
namespace {

/// What is checked, where nothing is said.
CheckChoice checks_of(const support::Options& options, MemoryMap* memory) {
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

}  // namespace

Make maker(const MakeRequest& request) {
  std::vector<DeviceFacts> facts;
  for (const DescribedDevice& one : request.all) facts.push_back(one.facts);
  choose_math(request.options.math);
  if (request.options.instructions == support::CpuInstructions::v4) take_gathers_for_fast();
  const SharedOptions common{
      .interpret = request.options.cpu == support::CpuMode::interpret,
      .promised_workers = summarise(facts).workers,
      .has_own_memory = request.all.size() > 1,
      .choice = request.choice,
      .misuse = make_misuse_log(checks_of(request.options, request.memory)),
  };
  return [common](const DescribedDevice& one) { return make_device(one.facts, common); };
}

}  // namespace gridspan::devices::cpu
