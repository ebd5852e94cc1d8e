// What the compiler recorded about the kernels of a file: facts of the CPU code, and models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"
#include "support/fused_launches.h"
#include "support/kernel_facts.h"
#include "support/launch_sequences.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::tools {

struct ExplainedKernel {
  std::string name, readable;
  std::optional<support::KernelFacts> cpu;  // how it runs (container kind `facts`)
  std::optional<model::Kernel> model;
};

/// One container of the file.
struct ExplainedModule {
  std::string source;  // as given to the compiler
  std::string object;  // the file, or "archive(member)"
  std::vector<ExplainedKernel> kernels;
  std::vector<support::LaunchSequence> sequences;
  std::vector<support::FusedLaunches> fused;  // that it carries kernels for
};

/// All modules of an object, archive, library or program. Errors: no such file, no CUDA code of
/// ours in it, content that cannot be read.
support::Result<std::vector<ExplainedModule>> read_explained(isl::ctx context,
                                                             const std::string& file);

}  // namespace gridspan::tools
