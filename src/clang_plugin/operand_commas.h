// Operands of inline assembly without commas between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// Writes the commas before the operand that clang points at and those behind it. nvcc needs none.
std::optional<Edit> operand_commas(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
