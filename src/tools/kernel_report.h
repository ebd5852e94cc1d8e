// The report on one kernel, for a terminal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/explained.h"
#include "tools/paint.h"
#include "tools/source_lines.h"

#include <string>

namespace gridspan::tools {

struct ReportStyle {
  bool isl = false;  // also isl's text of every relation
  bool colours = false;
};

std::string kernel_report(const ExplainedKernel& kernel, const ReportStyle& style,
                          SourceLines& sources);

}  // namespace gridspan::tools
