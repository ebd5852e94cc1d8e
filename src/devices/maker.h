// What a kind makes its devices from, besides their descriptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "devices/kernel_choice.h"
#include "devices/kinds.h"
#include "devices/memory_map.h"
#include "support/options.h"
#include "support/result.h"

#include <functional>
#include <memory>
#include <span>

namespace gridspan::devices {

struct MakeRequest {
  const support::Options& options;
  KernelChoice* choice;  // CPU devices ask it for the form of each kernel; null: nobody
  MemoryMap* memory;     // against which interpret mode checks all accesses; null: it does not
  std::span<const DescribedDevice> all;  // devices of the program
  bool may_be_lazy;                      // all but the first (lazy_device.h)
};

/// Makes one device of the kind after the other.
using Make = std::function<support::Result<std::unique_ptr<Device>>(const DescribedDevice&)>;

/// kernel_without_code of make_devices.h, for GPUs of that capability and later.
using KernelWithoutCode = std::string(const abi::Module& module, std::uint32_t capability);

/// What the devices of a kind have in common is made once, for all that the request names.
using Maker = Make(const MakeRequest& request);

}  // namespace gridspan::devices
