// How launches follow one another, as JSON (docs/model-format.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/explained.h"

#include <nlohmann/json_fwd.hpp>

namespace gridspan::tools {

/// All sequences of all modules; an empty array if there are none.
nlohmann::ordered_json sequences_json(const std::vector<ExplainedModule>& modules);

}  // namespace gridspan::tools
