// A kernel model compiled in memory, as a program would find it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/model.h"
#include "model/kernel.h"
#include "transforms/lower_globals.h"

#include <memory>
#include <vector>

namespace llvm::orc {
class LLJIT;  // its header takes two seconds to parse
}

namespace gridspan::tests {

class CompiledModel {
 public:
  /// Optimised like a device module where `optimised`.
  explicit CompiledModel(const model::Kernel& kernel,
                         const std::vector<transforms::DeviceSymbol>& symbols = {},
                         bool optimised = true);
  ~CompiledModel();

  const abi::KernelModel& operator*() const { return *model_; }
  const abi::KernelModel* operator->() const { return model_; }

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  const abi::KernelModel* model_;
};

}  // namespace gridspan::tests
