// What GPU a statement of inline PTX needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX is assembled as a whole: one kernel with an instruction that a GPU lacks would take all the
// others with it. LLVM looks into no inline PTX, so its text is searched for what came with later
// architectures than the language level says.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace gridspan::codegen::ptx {

/// 80 for sm_80; 0 if the text names nothing special. Errs on the side of later GPUs.
unsigned least_architecture(llvm::StringRef text);

}  // namespace gridspan::codegen::ptx
