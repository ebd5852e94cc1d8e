// One kernel on the page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/explained.h"
#include "tools/source_lines.h"

namespace gridspan::tools {

/// The card with pictures, facts, remarks and isl text; `number` makes its anchor.
std::string kernel_card(const ExplainedKernel& kernel, int number, SourceLines& sources);

/// "can be split along x, y" in green, and the like.
std::string badge(const ExplainedKernel& kernel);

}  // namespace gridspan::tools
