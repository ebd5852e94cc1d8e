// What the devices of a setting are: names, threads, memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_facts.h"
#include "devices/kinds.h"
#include "devices/machine/placement.h"
#include "devices/machine/processor.h"

#include <span>
#include <vector>

namespace gridspan::devices::machine {

/// What the devices at these places are. Each has a share of the machine's memory, by its threads
/// and its nodes' memory; the shares add up to at most all of it.
std::vector<DeviceFacts> describe_places(std::span<const Place> places, const Topology& topology,
                                         const Processor& processor);

/// The two together on this machine; cpu and numa terms only. The error is one line: devices that
/// are not there or too many.
support::Result<std::vector<DeviceFacts>> describe_devices(
    std::span<const support::DeviceTerm> terms, unsigned threads);

/// The same by term.
DescribeTerms describe_terms;

}  // namespace gridspan::devices::machine
