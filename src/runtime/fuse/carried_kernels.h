// Kernels made of several that gridcc made when it compiled the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/fuse/kernel_fuser.h"

namespace gridspan::runtime::fuse {

/// A kernel for fewer equal numbers, fewer arrays that need not be written, and more blocks and
/// threads does the same. Pointers must be equal where its are, and nowhere else: that is what was
/// proved.
bool serves(const support::FusedLaunches& made, const support::FusedLaunches& asked,
            const abi::Module& module);

/// Those first, unless others have one that writes less.
class CarriedKernels final : public KernelFuser {
 public:
  /// `others` outlives this; null: there are none.
  explicit CarriedKernels(KernelFuser* others) : others_(others) {}

  bool is_ready() override { return !others_ || others_->is_ready(); }
  bool may_fuse(const abi::Module& module) override;
  FusedAnswer fuse(const abi::Module& module, const support::FusedLaunches& launches) override;

 private:
  KernelFuser* const others_;
};

}  // namespace gridspan::runtime::fuse
