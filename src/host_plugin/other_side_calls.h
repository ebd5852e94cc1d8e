// Host code that calls a device function ends the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/PassManager.h"

namespace gridspan::host_plugin {

/// A template of both sides may call a device function, as long as nobody makes the call on the
/// host (clang_plugin/other_side_calls.h). It becomes a failed assertion, as the C library says it.
struct EndOtherSideCalls : llvm::PassInfoMixin<EndOtherSideCalls> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace gridspan::host_plugin
