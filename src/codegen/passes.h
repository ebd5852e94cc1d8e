// LLVM's own pass pipelines, as the device compiler uses them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace gridspan::codegen {

/// Inlines and simplifies; no vectorising, no unrolling of long loops: the form kernels are cut in.
/// If it `keeps_lines`, no accesses of different lines become one.
void simplify(llvm::Module& module, llvm::TargetMachine& target, bool keeps_lines = false);

/// The same of a kernel made of several simplified ones.
void simplify_glued(llvm::Function& function, llvm::TargetMachine& target);

/// Makes use of what was noted about ranges of values since.
void use_ranges(llvm::Function& function, llvm::TargetMachine& target);

/// Inlines what is marked and turns stack variables into values, nothing else: the form in which a
/// recording build counts accesses.
void expose_accesses(llvm::Module& module, llvm::TargetMachine& target);

/// Once more, when loops may be unrolled that were to stay (transforms/rolled_loops.h).
void simplify_again(llvm::Function& function, llvm::TargetMachine& target);

/// Removes what any first clean-up removes: dead loads, and accesses whose value is known from an
/// access just before.
void remove_redundant_accesses(llvm::Module& module, llvm::TargetMachine& target);

/// Keeps in values what loops store to one place again and again.
void promote_stores(llvm::TargetMachine& target, llvm::Function& function);

/// Turns regions as they were cut into values and simple loops, and moves out of the loop over
/// threads what is the same for all: the form threads are vectorised in.
void tidy_regions(llvm::Module& module, llvm::TargetMachine& target,
                  llvm::ArrayRef<llvm::Function*> regions);

/// Optimises CPU code at -O<level>.
void optimise(llvm::Module& module, llvm::TargetMachine& target, unsigned level);

/// What LLVM's optimisations would undo: transforms::sink_splats and split_gather_addresses in all
/// functions.
void sink_splats(llvm::Module& module, llvm::TargetMachine& target);
void split_gather_addresses(llvm::Module& module, llvm::TargetMachine& target);

/// Optimises canonical IR for a GPU as clang's CUDA pipeline does.
void optimise_for_gpu(llvm::Module& module, llvm::TargetMachine& target, unsigned level);

/// Removes what no visible function or variable refers to.
void remove_unused(llvm::Module& module, llvm::TargetMachine& target);

/// The module's PTX. Changes the module.
std::string ptx_of(llvm::Module& module, llvm::TargetMachine& target);

/// Writes the relocatable object. False, with `error` set, when the file cannot be written.
bool emit_object(llvm::Module& module, llvm::TargetMachine& target, llvm::StringRef path,
                 std::string& error);

}  // namespace gridspan::codegen
