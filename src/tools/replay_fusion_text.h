// gridspan replay --fuse, as text and as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/replay_fusion.h"

#include <string>

namespace gridspan::tools {

/// A block for each sequence, then totals.
std::string fusion_text(const FusionSummary& summary);

/// One object: `sequences`, `totals`, `ends`.
std::string fusion_json(const FusionSummary& summary);

}  // namespace gridspan::tools
