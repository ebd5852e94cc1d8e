// What answers in place of functions that we do not have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/versions/unsupported.h"

#include "runtime/api/call.h"

#include <cstring>

namespace gridspan::runtime {

int refuse_unsupported(const char* name) {
  const Status status{cudaErrorNotSupported, "Gridspan does not have this function"};
  if (std::strncmp(name, "cuda", 4) == 0) return report(name, status);
  if (support::logs(support::LogLevel::warn)) {
    support::log(support::LogLevel::warn, "%s: %s", name, status.reason.c_str());
  }
  return status.code;
}

}  // namespace gridspan::runtime
