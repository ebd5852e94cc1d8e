// What GRIDSPAN_DEVICES=auto stands for on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::devices {

/// The option that no GPU takes part in: its variable's name. Null: there is none.
const char* option_for_cpus(const support::Options& options);

struct DeviceChoice {
  std::vector<support::DeviceTerm> terms;
  std::string why_cpu;           // in one line; empty: GPUs were found, or the user chose
  std::uint32_t capability = 0;  // of GPUs that were found, the least: 90 is sm_90
};

/// All GPUs that can be used, else the CPU; unless the user named devices. Starts the GPUs' driver
/// only if nothing else asks for the CPU.
DeviceChoice choose_devices(const support::Options& options);

}  // namespace gridspan::devices
