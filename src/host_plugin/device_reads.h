// Host code that reads a variable which only device code has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/PassManager.h"

namespace gridspan::host_plugin {

/// threadIdx and its like are declared for host code, too, which may ask for their types; who reads
/// them gets an error. Comes when code that is never reached is gone, as for a linker: functions
/// for host and device may read them where only the device comes.
struct RefuseDeviceReads : llvm::PassInfoMixin<RefuseDeviceReads> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace gridspan::host_plugin
