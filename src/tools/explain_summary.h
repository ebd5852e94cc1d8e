// The beginning of a long report: how many kernels can be split, and why the others cannot.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/explained.h"

#include <string>
#include <vector>

namespace gridspan::tools {

/// Some lines, with an empty one at the end. Nothing of a single kernel: its report begins with the
/// same.
std::string explain_summary(const std::vector<ExplainedModule>& modules);

}  // namespace gridspan::tools
