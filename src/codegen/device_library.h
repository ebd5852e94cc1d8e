// The functions that CUDA has and LLVM has not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

#include <optional>
#include <string>

namespace gridspan::codegen {

/// Links those that the module calls, as functions of its own. Returns what went wrong, if
/// anything.
std::optional<std::string> link_device_library(llvm::Module& module);

/// The same from another file of bitcode.
std::optional<std::string> link_library_file(llvm::Module& module, const std::string& path);

/// A library's file beside gridcc: bin/gridcc → lib/gridspan/<file>
std::string library_path(const char* file);

}  // namespace gridspan::codegen
