// Running a program with recording on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::tools {

struct RecordRequest {
  std::string file = "gridspan.record";
  bool with_data = false;
  std::vector<std::string> command;  // program and arguments
};

/// Runs the command and returns its exit status; a signal that ends it ends this process, too. The
/// error says why it was not started. Says on standard error where the recording is.
support::Result<int> record(const RecordRequest& request);

}  // namespace gridspan::tools
