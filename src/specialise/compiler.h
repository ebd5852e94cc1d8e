// Starting gridcc for a specialised build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "support/launch_condition.h"
#include "support/result.h"

#include <sys/types.h>
#include <atomic>
#include <string>

namespace gridspan::specialise {

/// What a build depends on.
struct Build {
  std::string container;  // the module's
  std::string kernel;     // mangled
  support::LaunchCondition condition;
  std::string fused_launches;  // not empty: of several kernels, in the place of the two above
  abi::InstructionSet set;     // of the module's ordinary kernels
  abi::InstructionSet wider;   // what it is compiled for if the program names no CPU
};

/// One gridcc at a time.
class Compiler {
 public:
  explicit Compiler(std::string gridcc) : gridcc_(std::move(gridcc)) {}
  const std::string& gridcc() const { return gridcc_; }

  /// Makes the shared object in the file `product`. What the compiler refuses is an error that
  /// begins with refusal_mark. With `aside`, whatever else runs goes first. The program does not
  /// notice the child: no SIGCHLD, no answer to its wait(), no files in common.
  support::Result<void> make(const Build& build, const std::string& product, bool aside);

  /// Ends the gridcc that runs, and lets none begin.
  void stop();

 private:
  std::string gridcc_;
  std::atomic<pid_t> running_ = 0;
  std::atomic<bool> stopped_ = false;
};

}  // namespace gridspan::specialise
