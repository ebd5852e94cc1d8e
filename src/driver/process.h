// Starting other programs and waiting for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/command.h"

#include <string>

namespace gridspan::driver {

struct Outcome {
  int code = 0;         // exit status; 128 + signal after a crash; 127: could not be started
  std::string trouble;  // why, unless the program ended by itself
  bool ok() const { return code == 0 && trouble.empty(); }
};

/// A program that has been started. Must be waited for.
class Process {
 public:
  /// Standard output and error go to the files named, or to ours if empty.
  explicit Process(const Command& command, const std::string& output_file = {},
                   const std::string& error_file = {});
  Outcome wait();

 private:
  std::string program_;
  int pid_ = 0;
  std::string trouble_;
};

inline Outcome run(const Command& command) { return Process(command).wait(); }

/// A tool that reports its own errors has done so; anything else is printed here.
bool succeeded(const Command& command, const Outcome& outcome);

/// A program that failed without a word, having `said` nothing, gets one.
Outcome explained(Outcome outcome, const std::string& said);

}  // namespace gridspan::driver
