// Reads GRIDSPAN_LOG for a library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/support/log.h"

#include "support/options.h"

#include <string>
#include <vector>

namespace gridspan::libraries {

void listen_to_log() {
  static const bool listens = [] {
    std::vector<std::string> remarks;
    const auto options = support::options_from_environment(&remarks);
    return options && support::set_log(options->log);
  }();
  static_cast<void>(listens);
}

}  // namespace gridspan::libraries
