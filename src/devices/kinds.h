// The kinds of devices: how terms of GRIDSPAN_DEVICES become descriptions of devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_facts.h"
#include "support/options.h"
#include "support/result.h"

#include <any>
#include <span>
#include <string_view>
#include <vector>

namespace gridspan::devices {

/// A device that is still to be made.
struct DescribedDevice {
  DeviceFacts facts;
  std::any recipe = {};  // whatever else its kind makes it from
};

/// For each of the terms, which are all of one kind, its devices. `threads`: GRIDSPAN_THREADS, 0 if
/// unset. The error is one line that begins with the variable's name.
using DescribedTerms = std::vector<std::vector<DescribedDevice>>;
using DescribeTerms = support::Result<DescribedTerms>(std::span<const support::DeviceTerm> terms,
                                                      unsigned threads);

/// A row of the table; words of the kind are in support/device_grammar.h, and
/// devices/make_devices.cpp makes its devices.
struct Kind {
  std::string_view name;  // support::DeviceWord::kind
  DescribeTerms* describe;
};
std::span<const Kind> kinds();

}  // namespace gridspan::devices
