// A command to run: plain data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace gridspan::driver {

struct Command {
  std::string program;  // full path
  std::vector<std::string> arguments;
};

/// On one line, quoted so that a shell reads back the same words.
std::string to_line(const Command& command);

}  // namespace gridspan::driver
