// The report on how launches follow one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/explained.h"
#include "tools/paint.h"

#include <string>

namespace gridspan::tools {

/// Of one module, for a terminal; empty if nothing is to be said. `modules` have the kernels.
std::string sequence_report(const ExplainedModule& module,
                            const std::vector<ExplainedModule>& modules, const Paint& paint);

/// Of all modules, for the page.
std::string sequence_html(const std::vector<ExplainedModule>& modules);

}  // namespace gridspan::tools
