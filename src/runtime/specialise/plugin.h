// Specialised kernels, if the plug-in is there that makes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/specialise.h"
#include "devices/kernel_choice.h"
#include "support/options.h"

#include <memory>
#include <mutex>

namespace gridspan::runtime {

/// Loads libgridspan_specialise.so from beside this library at the first launch. Without it, every
/// kernel is its own choice.
class SpecialisePlugin final : public devices::KernelChoice {
 public:
  SpecialisePlugin(abi::SpecialiseMode mode, abi::InstructionSet instructions)
      : mode_(mode), instructions_(instructions) {}

  const abi::Kernel& choose(const abi::Kernel& kernel, const abi::LaunchContext& launch) override;
  void ran(const abi::Kernel& kernel, const abi::LaunchContext& launch, const abi::Kernel& used,
           std::uint64_t nanoseconds) override;
  /// The module goes. Nothing of it runs.
  void forget(const abi::Module& module);
  /// The process ends.
  void stop();

 private:
  void load();

  abi::SpecialiseMode mode_;
  abi::InstructionSet instructions_;
  std::once_flag loaded_;
  const abi::Specialiser* plugin_ = nullptr;  // null: not there
};

/// Null where nothing is to be specialised.
std::unique_ptr<SpecialisePlugin> make_specialise_plugin(const support::Options& options);

}  // namespace gridspan::runtime
