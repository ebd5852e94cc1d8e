// The report as one page that needs nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/explained.h"

namespace gridspan::tools {

/// A whole HTML document, style and pictures inside. `title` is the file explained.
std::string html_page(const std::vector<ExplainedModule>& modules, const std::string& title);

}  // namespace gridspan::tools
