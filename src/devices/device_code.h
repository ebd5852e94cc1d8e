// What a device can run, and the code it has for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "devices/gpu_facts.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::devices {

/// Any thread, unless a function says otherwise.
class DeviceCode {
 public:
  virtual ~DeviceCode() = default;

  /// Why the device cannot run the kernel, `whole` grids or parts of grids, in one line; empty if
  /// it can.
  virtual std::string refusal(const abi::Kernel& kernel, bool whole) = 0;
  /// Threads that a block of a kernel that is not refused may have, as far as the device's
  /// registers go.
  virtual std::uint32_t most_threads(const abi::Kernel& kernel, bool whole) = 0;
  /// What its driver says of a kernel that is not refused; nothing if there is none.
  virtual std::optional<KernelNeeds> needs(const abi::Kernel& kernel) = 0;
  /// Blocks of a kernel that one worker holds at once; `any_blocks` if the device knows no better
  /// than the limits that all devices keep.
  virtual std::uint32_t resident_blocks(const abi::Kernel& kernel, std::uint32_t threads,
                                        std::size_t dynamic_shared) = 0;
  static constexpr std::uint32_t any_blocks = std::numeric_limits<std::uint32_t>::max();
  /// It has code of the kernel that works on packed boxes, in blocks of so many threads, of those
  /// arrays that are arguments of their own and have rows.
  virtual bool runs_packed(const abi::Kernel& kernel, std::uint32_t threads) = 0;

  /// Where the device's code of a module has the module's variable; null: it goes by
  /// LaunchContext::symbols, or has none.
  virtual void* variable(const abi::Module& module, std::uint32_t index) = 0;
  /// A hint: kernels of these modules, which stay until they are forgotten, are likely to run. What
  /// was expected before is so no longer, and nothing of it is being loaded when this returns.
  virtual void expect(std::vector<const abi::Module*> modules) = 0;
  /// Nothing of the module runs, kernels made of several of its included. It goes, or its variables
  /// are to be as at first again.
  virtual void forget(const abi::Module& module) = 0;
};

}  // namespace gridspan::devices
