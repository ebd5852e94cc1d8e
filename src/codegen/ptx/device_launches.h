// Kernels that launch kernels, on GPUs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch in device code (transforms/device_launches.h) becomes an entry of the list that the run
// time looks at when the grid has ended (abi/child_list.h):
//
//     ChildRecord made;
//     if (gridspan_configure_child(&made, &grid, &block, 0, 0) == 0)
//       gridspan_launch_child(&made, identity_of("child"), {x}, sizeof {x}, max_threads);
//
// Behind it stands a mark, so that it is known until the end which kernels launch which.
#pragma once

#include "codegen/ptx/obstacles.h"
#include "codegen/ptx/ptx.h"

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

/// Of the module as clang wrote it. Kernels that ask for the last error begin without one.
void list_launches(llvm::Module& module);

/// What the run time looks for in a module that has launches, once the device library is linked:
/// the pointer to the list, and the kernels that copy and fill, if it needs them.
void define_child_list(llvm::Module& module, const PtxOptions& options);

/// A kernel that waits for what it launched at its very end need not: nothing is done in between.
/// Of optimised code.
void drop_last_waits(llvm::Module& module);

/// Adds to `reasons` the kernels that launch one of those, or of `others`.
void add_launching(llvm::Module& module, const Reasons& others, Reasons& reasons);

/// Takes the marks out, and notes what `launches` answers.
void drop_marks(llvm::Module& module);

/// It puts something on the list. Of kernels, when the marks are out.
bool launches(const llvm::Function& kernel);

}  // namespace gridspan::codegen::ptx
