// gridspan explain: how each kernel of a file was understood.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::tools {

struct ExplainRequest {
  std::string file;
  std::vector<std::string> kernels;  // only kernels whose name contains one of these; empty: all
  bool json = false;                 // the facts as the compiler wrote them
};

/// The report. Errors: no such file, no CUDA code of ours in it, facts that cannot be read.
support::Result<std::string> explain(const ExplainRequest& request);

}  // namespace gridspan::tools
