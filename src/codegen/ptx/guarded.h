// Code of LLVM that may give up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace gridspan::codegen::ptx {

/// Lets guarded threads survive what ends the process elsewhere; once, before there are threads.
void prepare_guards();

/// Runs `action`. LLVM's code generator ends the process when it meets an operation that the
/// target lacks; here that, or a crash, ends `action` alone, and the result says why. What the
/// action was building is lost then and may not be touched, nor freed.
std::optional<std::string> run_guarded(llvm::function_ref<void()> action);

}  // namespace gridspan::codegen::ptx
