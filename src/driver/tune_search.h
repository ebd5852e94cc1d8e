// The search for each kernel's fastest settings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One family of settings after the other: all kernels try a candidate in the same build, each keeps
// what is best for itself, and the next family starts from there (coordinate descent). Candidates
// and the best so far run in turn, several rounds, so that a slow minute of the machine hits all
// alike. Of each launch the fastest of all rounds counts. At the end the outcome runs against the
// compiler's own choice once more: what one saw by chance does not last.
#pragma once

#include "codegen/kernel_settings.h"
#include "support/result.h"

#include <map>
#include <string>
#include <vector>

namespace gridspan::driver {

/// By whatever the workbench calls a kernel.
template <class T>
using ByKernel = std::map<std::string, T>;

/// Nanoseconds of each launch.
using LaunchTimes = ByKernel<std::vector<double>>;

/// Compiles and runs for the search.
class Workbench {
 public:
  virtual ~Workbench() = default;
  struct Build {
    unsigned number = 0;
    ByKernel<std::string> forms;  // CompiledKernel::form of all kernels
  };
  /// Compiles with these settings; kernels that are not named have none.
  virtual support::Result<Build> compile(const ByKernel<codegen::KernelSettings>& settings) = 0;
  /// Makes a build ready to run. Only if it will be.
  virtual support::Result<void> keep(const Build& build) = 0;
  virtual support::Result<LaunchTimes> run(const Build& build) = 0;
  virtual void say(const std::string& line) = 0;
  virtual std::string readable(const std::string& kernel) const = 0;
};

struct Tuned {
  codegen::KernelSettings settings;
  double default_ms = 0, tuned_ms = 0;  // all launches
};

/// The kernels for which something is faster than the compiler's own choice by more than chance.
support::Result<ByKernel<Tuned>> search_settings(Workbench& workbench);

/// What several runs of the same launches say: the sum of the fastest of each, and the share of it
/// by which runs differ.
struct Estimate {
  double nanoseconds = 0, noise = 0;
};
Estimate estimate(const std::vector<std::vector<double>>& runs);

}  // namespace gridspan::driver
