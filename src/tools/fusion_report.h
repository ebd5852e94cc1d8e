// What `gridspan explain` says of launches that follow one another: one kernel, a chain, or why
// not. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fusion/stretch.h"
#include "tools/explained.h"

#include <string>
#include <vector>

namespace gridspan::tools {

/// About some steps of a sequence.
struct FusionVerdict {
  enum class Kind {
    one_kernel,
    chain,
    useless,  // no bytes would be saved, as far as sizes are known
    apart,
  };
  Kind kind = Kind::apart;
  bool is_carried = false;           // one_kernel: the program has it
  std::vector<unsigned> steps;       // of the sequence, in order
  int turn = -1;                     // the loop in whose next turn the last one is
  std::string bytes;                 // "28*n -> 20*n bytes (16*n if z is not read afterwards)"
  std::string reason;                // apart: why they are no one kernel; no chain either: why
  std::string hint;                  // what to change in the program; may be empty
  model::SourcePoint first, second;  // that the reason speaks of
};

/// One verdict for each group of neighbours that could be one kernel, then one for each pair beside
/// a border between groups, then those of pairs across a loop's turn. Milliseconds for each pair.
std::vector<FusionVerdict> fusion_verdicts(const support::LaunchSequence& sequence,
                                           const std::vector<ExplainedModule>& modules);

}  // namespace gridspan::tools
