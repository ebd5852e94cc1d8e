// Words for how launches follow one another, shared by the text and the HTML report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/explained.h"

#include <string>
#include <vector>

namespace gridspan::tools {

/// Two steps that may follow one another, and their kernels where these are known and launched.
struct ExplainedNeighbours {
  const support::LaunchSequence& sequence;
  const support::Neighbours& pair;
  const ExplainedKernel* first;
  const ExplainedKernel* second;

  const support::LaunchStep& first_step() const { return sequence.steps[pair.first]; }
  const support::LaunchStep& second_step() const { return sequence.steps[pair.second]; }
};

struct PairText {
  std::string order;               // "1, then 2"
  std::string apart;               // what keeps them apart; empty: nothing
  std::string together;            // "could be one kernel", "nothing keeps them apart"
  bool is_sometimes = false;       // but not on all ways
  std::vector<std::string> facts;  // lines about them
  std::string hint;                // what to change; empty: nothing
};

struct StepText {
  unsigned depth = 0;  // of loops
  std::string what;    // "scale(float* a, int n)", "copy inside the device"
  std::string place;   // "a.cu:12, called at a.cu:30"
  std::string when;    // "sometimes"; empty: each time
};

struct LoopText {
  unsigned depth = 0;
  std::size_t before = 0;  // the step in front of which it begins
  std::string place;
};

struct SequenceText {
  std::string title;  // "run(float*, int) at a.cu:10"
  std::vector<LoopText> loops;
  std::vector<StepText> steps;
  std::vector<PairText> pairs;
};

/// Milliseconds for each pair of launches: their models are compared.
SequenceText sequence_text(const support::LaunchSequence& sequence,
                           const std::vector<ExplainedModule>& modules);

/// Sequences of the module that have something to say: two steps that follow one another.
std::vector<const support::LaunchSequence*> told_sequences(const ExplainedModule& module);

}  // namespace gridspan::tools
