// The kinds of devices: how terms of GRIDSPAN_DEVICES become descriptions of devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_facts.h"
#include "support/options.h"
#include "support/result.h"

#include <any>
#include <span>
#include <string>
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

/// A device of this machine that a term can name.
struct ListedDevice {
  std::string term;       // "cuda:0"
  DeviceFacts facts;      // as far as they are known
  std::string lack = {};  // why it cannot be used; empty: it can
};
/// The error says in one line why there are none.
using ListDevices = support::Result<std::vector<ListedDevice>>();

/// A row of the table; words of the kind are in support/device_words.h, and
/// devices/make_devices.cpp makes its devices.
struct Kind {
  std::string_view name;  // support::DeviceWord::kind
  DescribeTerms* describe;
  // For `gridspan devices`, of a kind whose devices have numbers:
  std::string_view title = {};
  ListDevices* list = nullptr;
};
std::span<const Kind> kinds();

}  // namespace gridspan::devices
