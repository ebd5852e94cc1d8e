// Which kernels to make of several before the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/kernel_code.h"
#include "model/text.h"

#include "llvm/IR/Module.h"

#include <list>
#include <string>

namespace gridspan::codegen {

/// Of launches that `sequences` (support/launch_sequences.h) says follow one another on some way,
/// those of which the models prove that they may be one kernel (fusion/fusible.h) and that it saves
/// bytes. Arguments share a number as the run time has it (runtime/fuse/common_values.h). `module`:
/// as clang wrote it, with these kernels. Work is bounded for each sequence; O(launches^2) pairs.
std::list<FusedAhead> fused_ahead(const std::string& sequences, const model::Module& models,
                                  const llvm::Module& module);

}  // namespace gridspan::codegen
