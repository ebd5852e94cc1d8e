// compile_commands.json for clangd and other tools made of clang.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/installation.h"
#include "driver/invocation.h"

namespace gridspan::driver {

/// Writes the compilation database again with clang's command in place of gridcc's (or nvcc's)
/// wherever it compiles a CUDA source: the host pass, in which clang knows kernels and launches,
/// too. Other entries stay as they are; so does one that gridcc could not compile, with a warning.
/// User errors: a file that cannot be read, or is no compilation database.
support::Result<void> rewrite(const CompileCommands& request, const Installation& installation);

}  // namespace gridspan::driver
