// Machine code of PTX, by NVIDIA's assembler, where a machine has one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With it, a program's first launch need not wait for the driver's compiler. Programs run the same
// without: so what the assembler does not take is left to the driver, which says what is wrong.
#pragma once

#include "codegen/ptx/ptx.h"

#include <string>
#include <vector>

namespace gridspan::codegen::ptx {

/// For each of `options.machine`, of the newest text that such GPUs can run. Takes some ten
/// milliseconds for a kernel. Files are beside `product`, and go again.
std::vector<MachineCode> assemble(const std::vector<PtxText>& texts, const PtxOptions& options,
                                  const std::string& product);

}  // namespace gridspan::codegen::ptx
