// What the compiler recorded about the kernels of a file: facts of the CPU code, and models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::tools {

/// How a kernel runs on the CPU (container kind `facts`).
struct CpuFacts {
  std::string name;  // mangled
  std::string file;
  std::string executor;                     // "regions" or "fibers"
  std::string reason;                       // why fibers
  std::string cut_reason;                   // why its barriers end regions
  std::vector<std::string> scalar_reasons;  // why threads do not run as vectors
  std::vector<std::string> steps;           // where lanes of a warp are kept in step
  bool joins_blocks = false;                // neighbours along x run as one block
  bool joins_rows = false;                  // and along y
  bool has_distinct_form = false;           // another for arguments that are different arrays
  bool has_small_form = false;              // another for arrays of less than 2 GiB
  int row_length = 0;                       // of blocks there is a form for; 0: none
  std::string launched_as;                  // shape of blocks there is a form for; empty: none
  std::string linear_threads;               // and of narrow ones, threads numbered through
  std::string reads_through;                // "16 x 16": blocks whose shared memory is not needed
  std::string tuned;                        // settings that a search found
  int launch_values = 0;                    // computed once for all blocks
  bool baseline_on_fibers = false;          // too much code for CPUs without AVX2
  bool tuning_is_stale = false;             // it found some for earlier code
  bool whole_warps = false;                 // blocks whose rows are whole warps run without stops
  bool knows_gpu = false;                   // PTX was asked for when it was compiled
  std::string no_ptx;                       // why a GPU cannot run it; empty: it can
  std::string no_part;                      // why a part of its grid alone cannot
  std::vector<std::string> packed;          // arrays of which a GPU may hold a packed box only
  std::string no_packed;                    // why there are none although some have rows
  unsigned line = 0, regions = 0, block_barriers = 0, warp_operations = 0;
  unsigned static_shared = 0, frame_bytes = 0, parameters = 0;
};

struct ExplainedKernel {
  std::string name, readable;
  std::optional<CpuFacts> cpu;
  std::optional<model::Kernel> model;
};

/// One container of the file.
struct ExplainedModule {
  std::string source;  // as given to the compiler
  std::string object;  // the file, or "archive(member)"
  std::vector<ExplainedKernel> kernels;
};

/// All modules of an object, archive, library or program. Errors: no such file, no CUDA code of
/// ours in it, content that cannot be read.
support::Result<std::vector<ExplainedModule>> read_explained(isl::ctx context,
                                                             const std::string& file);

}  // namespace gridspan::tools
