// From a launch's configuration to the call that it is for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/InstrTypes.h"

namespace gridspan::host_plugin {

/// Which call of a stub, or through a pointer, is made if the configuration was pushed; else null.
const llvm::CallBase* launched_after(const llvm::CallBase& push);

}  // namespace gridspan::host_plugin
