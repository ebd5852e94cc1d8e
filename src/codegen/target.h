// The machine the device code is compiled for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"

#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace gridspan::codegen {

/// Makes LLVM's targets known; once, before there are threads.
void initialise_targets();

/// Null, with `error` set, when LLVM does not know the triple or CPU.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const DeviceRequest& request,
                                                         std::string& error);

}  // namespace gridspan::codegen
