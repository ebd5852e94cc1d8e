// From GRIDSPAN_DEVICES to devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/choose_devices.h"
#include "devices/device.h"
#include "devices/kernel_choice.h"
#include "devices/memory_map.h"
#include "support/options.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gridspan::devices {

/// Of a kernel of the module that some of the chosen devices have no code for, in one line, with
/// its place; empty: there is none.
std::string kernel_without_code(const DeviceChoice& choice, const abi::Module& module);

/// The devices that `options.devices` asks for, at least one, in the order of its terms; device 0
/// is the home device. CPU devices ask `choice`, if there is one, for the form of each kernel. In
/// interpret mode one device checks all accesses against `memory`, if that is asked for. Others
/// than the home device may be lazy (lazy_device.h) if `may_be_lazy`. The error is one line that
/// begins with the variable's name.
support::Result<std::vector<std::unique_ptr<Device>>> make_devices(const support::Options& options,
                                                                   KernelChoice* choice = nullptr,
                                                                   MemoryMap* memory = nullptr,
                                                                   bool may_be_lazy = false);

/// Another device on the home device's GPU, with memory of its own: at most `room` bytes.
support::Result<std::unique_ptr<Device>> make_companion(const support::Options& options,
                                                        std::uint64_t room);

}  // namespace gridspan::devices
