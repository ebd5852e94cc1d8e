// Specialised and fused kernels, if the plug-in is there that makes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/specialise.h"
#include "devices/kernel_choice.h"
#include "runtime/fuse/kernel_fuser.h"
#include "support/options.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gridspan::runtime {

/// Loads libgridspan_specialise.so from beside this library when it is first asked. Without it,
/// every kernel is its own choice, and none is made of several.
///
/// In a forked child it is as if there were none: the plug-in's locks may be those of threads that
/// the child does not have, and the compiler that runs is its parent's.
class SpecialisePlugin final : public devices::KernelChoice, public fuse::KernelFuser {
 public:
  struct Modes {
    std::optional<abi::SpecialiseMode> specialise, fuse;  // nothing: not asked for
  };
  SpecialisePlugin(const Modes& modes, abi::InstructionSet instructions);
  bool specialises() const { return modes_.specialise.has_value(); }
  /// Has kernels made of several, or finds such that were.
  bool fuses() const { return modes_.fuse.has_value(); }

  const abi::Kernel& choose(const abi::Kernel& kernel, const abi::LaunchContext& launch) override;
  void ran(const abi::Kernel& kernel, const abi::LaunchContext& launch, const abi::Kernel& used,
           std::uint64_t nanoseconds) override;
  bool is_ready() override;
  bool may_fuse(const abi::Module& module) override;
  fuse::FusedAnswer fuse(const abi::Module& module,
                         const support::FusedLaunches& launches) override;
  /// The module goes. Nothing of it runs.
  void forget(const abi::Module& module);
  /// The process ends.
  void stop();

 private:
  abi::FuseAnswer ask(const abi::Module& module, const char* launches);
  void load();
  /// Null: there is none.
  const abi::Specialiser* loaded();
  const abi::Specialiser* if_loaded() const;

  Modes modes_;
  abi::InstructionSet instructions_;
  std::once_flag loaded_;
  std::atomic<bool> is_loading_ = false, has_loaded_ = false;
  std::atomic<const abi::Specialiser*> plugin_ = nullptr;  // null: not there, or not asked yet
};

/// Null where nothing is to be specialised, and no kernels are to be one.
std::unique_ptr<SpecialisePlugin> make_specialise_plugin(const support::Options& options);

}  // namespace gridspan::runtime
