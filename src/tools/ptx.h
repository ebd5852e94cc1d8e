// gridspan ptx: the code for GPUs that a file carries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::tools {

struct PtxRequest {
  std::string file;  // CUDA source, or object, archive, library or program made from it
  std::vector<std::string> compile_options;  // for a source
  std::vector<std::string> kernels;          // parts of names; empty: the whole text
  unsigned architecture = 0;  // 70: what a GPU of sm_70 would be given; 0: the newest
};

/// The text, module by module. Errors: no such file, no PTX in it, or none for that architecture,
/// no such kernel.
support::Result<std::string> ptx_text(const PtxRequest& request);

}  // namespace gridspan::tools
