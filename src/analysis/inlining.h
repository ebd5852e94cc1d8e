// Which calls of the module the analysis sees through.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::analysis {

/// Instructions that a function may have, as clang wrote them, with all that is inlined into it.
/// Unrolled ciphers and long chains of small functions called twice exceed any limit.
inline constexpr unsigned most_inlined_instructions = 50'000;

/// Marks all functions for inlining, except at calls with which their caller would exceed `limit`.
void mark_for_inlining(llvm::Module& module, unsigned limit = most_inlined_instructions);

/// Whether some call is left that could be: of a function with a body that does not call itself,
/// nor through others, and that was not too much.
bool calls_what_can_be_inlined(llvm::Module& module);

}  // namespace gridspan::analysis
