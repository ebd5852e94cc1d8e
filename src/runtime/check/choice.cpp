// What GRIDSPAN_CHECK means with the other options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/choice.h"

#include "devices/written_bytes.h"

namespace gridspan::runtime::check {
namespace {

bool interprets(const support::Options& options) {
  return options.cpu == support::CpuMode::interpret;
}

/// One CPU, whose memory is the program's.
bool has_one_device(const support::Options& options) {
  const bool is_one = options.devices.size() == 1 && options.devices.front().count == 1 &&
                      options.devices.front().word == "cpu";
  return is_one && options.policy != support::PlanPolicy::always &&
         options.policy != support::PlanPolicy::mekong;
}

bool needs_accesses(const support::Checks& checks) {
  return checks.memory || checks.init || checks.race;
}

}  // namespace

bool checks_accesses(const support::Options& options) {
  if (!interprets(options) || !has_one_device(options)) return false;
  return !options.checks || needs_accesses(*options.checks);
}

bool finds_unwritten(const support::Options& options) {
  return checks_accesses(options) && options.checks && options.checks->init;
}

std::unique_ptr<KnownAllocations> known_memory_for(const support::Options& options) {
  const bool finds_leaks = options.checks && options.checks->leaks;
  if (!checks_accesses(options) && !finds_leaks) return nullptr;
  if (finds_unwritten(options)) devices::written_bytes.store(new devices::WrittenBytes);
  return std::make_unique<KnownAllocations>();
}

const char* remark_on(const support::Options& options) {
  if (!options.checks) return nullptr;
  const support::Checks& asked = *options.checks;
  if (!interprets(options) && (needs_accesses(asked) || asked.sync)) {
    return "GRIDSPAN_CHECK: memory, init, race and sync are checked with GRIDSPAN_CPU=interpret "
           "only";
  }
  if (!has_one_device(options) && needs_accesses(asked)) {
    return "GRIDSPAN_CHECK: with several devices, memory is not checked, and init and race in "
           "shared memory only";
  }
  return nullptr;
}

}  // namespace gridspan::runtime::check
