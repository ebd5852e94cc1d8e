// Says which function of a library is not there yet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/support/not_there_yet.h"

#include "libraries/support/log.h"

#include <string>

namespace gridspan::libraries {

void say_not_there_yet(const char* function, const char* answer) {
  listen_to_log();
  support::log_text(support::LogLevel::error,
                    std::string(function) + " is not supported yet: it returns " + answer);
}

}  // namespace gridspan::libraries
