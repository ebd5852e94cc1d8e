// The form of the IR that the analysis reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::analysis {

/// Inlines all device functions and brings scalars into registers, loops into normal form. Nothing
/// that rewrites subscripts (no instcombine): their shape is what the analysis lives on.
void prepare(llvm::Module& module);

}  // namespace gridspan::analysis
