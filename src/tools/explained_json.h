// The models of a file as one JSON text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/explained.h"

namespace gridspan::tools {

/// The text form of docs/model-format.md for all kernels of all modules. A kernel has a field `cpu`
/// beside its model; one without model is there with what is known. `source` names the file
/// explained.
std::string explained_json(const std::vector<ExplainedModule>& modules, const std::string& source);

}  // namespace gridspan::tools
