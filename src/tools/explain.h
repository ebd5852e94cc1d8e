// gridspan explain: how each kernel of a file was understood.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::tools {

struct ExplainRequest {
  std::string file;                          // .cu, or what gridcc made of it
  std::vector<std::string> compile_options;  // for a .cu
  std::vector<std::string> kernels;  // only kernels whose name contains one of these; empty: all
  bool json = false;                 // the models' text form (docs/model-format.md)
  bool isl = false;                  // also the relations themselves
  bool colours = false;
  std::string html;  // a page to write; empty: none
};

struct Explanation {
  std::string text;                  // for standard output
  std::vector<std::string> unsplit;  // readable names of kernels no launch of which can be split
};

/// Errors: no such file, no CUDA code of ours in it, content that cannot be read, a source that
/// does not compile, no kernel asked for, a page that cannot be written.
support::Result<Explanation> explain(const ExplainRequest& request);

}  // namespace gridspan::tools
