// How long each phase of compiling took: nvcc's --time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <chrono>
#include <string>
#include <vector>

namespace gridspan::driver {

using Clock = std::chrono::steady_clock;

/// One row: what was done to which file, elapsed time. What does not apply is empty.
struct Phase {
  std::string source, name, input, output, architecture;
  std::chrono::duration<double, std::milli> time;
};

/// The rows of one run of gridcc.
class TimeTable {
 public:
  void add(Phase phase) { phases_.push_back(std::move(phase)); }

  /// Appends the rows to the file as comma-separated values, below headings if the file is empty;
  /// "-": to standard output, with headings.
  support::Result<void> append_to(const std::string& path) const;

 private:
  std::vector<Phase> phases_;
};

}  // namespace gridspan::driver
