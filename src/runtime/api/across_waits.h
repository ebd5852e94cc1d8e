// Waits that end nothing: GRIDSPAN_FUSE=...:across-waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that waits after each launch leaves no two launches to be run together. With this
// setting a wait only waits for commands whose end the host can see: copies to or from it, events,
// its own functions, kernels that print or may stop. Where memory exists that the host may look at
// by itself, all waits are as ever.
#pragma once

#include "runtime/fuse/refusal.h"
#include "runtime/schedule/command.h"
#include "runtime/schedule/progress.h"

#include <atomic>
#include <type_traits>

namespace gridspan::runtime {

struct Runtime;

class AcrossWaits {
 public:
  using Sequence = runtime::Sequence;

  /// `is_on`: the setting, where launches may be run together at all.
  explicit AcrossWaits(bool is_on) : is_on_(is_on) {}

  bool is_on() const { return is_on_; }
  /// Whether the host can see the end of a command made of these.
  template <class C, class... A>
  bool can_see(const A&... arguments) const {
    if (!is_on_) return false;
    if constexpr (std::is_same_v<C, KernelCommand>) {
      return fuse::keeps_apart(kernel_of(arguments...));
    } else {
      return !std::is_same_v<C, FillCommand>;
    }
  }
  /// Such a command was submitted.
  void note(Sequence sequence) { seen_.store(sequence, std::memory_order_release); }

  /// What a wait for `sequence` has to wait for.
  Sequence wait_for(Runtime& state, Sequence sequence) const;

 private:
  template <class... A>
  static const abi::Kernel& kernel_of(const abi::Kernel& kernel, const A&...) {
    return kernel;
  }
  static const abi::Kernel& kernel_of(const KernelCommand& command) { return *command.kernel; }

  const bool is_on_;
  std::atomic<Sequence> seen_{0};  // the last such command
};

}  // namespace gridspan::runtime
