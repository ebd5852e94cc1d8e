// The code that runs a kernel's blocks, in all its forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/known_shape.h"
#include "transforms/read_through.h"
#include "transforms/regions.h"

#include "llvm/Target/TargetMachine.h"

namespace gridspan::codegen {

struct FormOptions {
  transforms::RegionOptions regions;
  bool distinct = true;  // a form for arguments that are different arrays
  bool staging = true;   // and one without tiles in shared memory
  bool rows = true;      // and one for blocks whose rows are as long as the kernel's numbers say
  bool linear = true;    // and one for blocks of narrow rows, threads numbered through
  std::vector<transforms::BlockShape> launched = {};  // shapes of blocks in launches
};

/// Cuts a simplified kernel, which is consumed; so is `through`, its form without shared memory, if
/// there is one.
transforms::RegionKernel make_block_forms(llvm::TargetMachine& target, llvm::Function& kernel,
                                          transforms::ReadThrough through,
                                          const FormOptions& options);

}  // namespace gridspan::codegen
