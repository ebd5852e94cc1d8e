// The GPUs of this machine, and which of them GRIDSPAN_DEVICES names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/driver.h"
#include "devices/device_facts.h"
#include "devices/kinds.h"
#include "support/options.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::devices::cuda {

/// What a device of ours is made of: a GPU, or an equal share of one.
struct Share {
  unsigned ordinal = 0;   // of the GPU, as the driver counts
  DeviceFacts facts;      // of the share
  std::string lack = {};  // why we cannot work with it; empty: we can
};

/// The GPUs of the machine, each as one device, whatever they lack.
ListDevices list_devices;

/// The devices that a term names, in order: a GPU that is named n times is n devices with separate
/// memories, each of which has the n-th part of its processors and memory. If none is named they
/// are those that lack nothing; others are told in the log. The error begins with the variable's
/// name.
support::Result<std::vector<Share>> describe_gpus(const support::DeviceTerm& term);

/// The same of several terms; a device's recipe is its share.
DescribeTerms describe_terms;

}  // namespace gridspan::devices::cuda
