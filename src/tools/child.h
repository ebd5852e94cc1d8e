// Programs that the tool starts and waits for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <utility>
#include <vector>

namespace gridspan::tools {

/// Variables to set; an empty value removes the variable.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// How a program came to its end.
struct Ended {
  int status = 0;  // what exit was given
  int signal = 0;  // not 0: it was ended by this signal
};

/// Runs `command`, looked for as a shell would, with these variables changed. What the keyboard
/// sends goes to the program alone. The error says why it was not started.
support::Result<Ended> run_child(std::vector<std::string> command, const Variables& variables);

}  // namespace gridspan::tools
