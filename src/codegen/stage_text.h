// The table of stages for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/stage_times.h"

#include <string>

namespace gridspan::codegen {

/// A line for each stage, indented as stages are nested. With `times`, how many milliseconds it
/// took; those inside a stage are part of it. A stage that did not run has none.
std::string stages_text(const StageTimes* times);

}  // namespace gridspan::codegen
