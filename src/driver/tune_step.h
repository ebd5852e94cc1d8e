// gridcc --tune: compiling with candidates, running the user's command, keeping what was found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"

#include <functional>
#include <string>
#include <vector>

namespace gridspan::driver {

/// What has been made once, and how to make it again with other settings.
struct TuneJob {
  std::string command;  // for /bin/sh
  std::string file;     // the tune file
  std::string workspace;
  std::vector<codegen::DeviceRequest*> requests;  // of `make`: where settings go
  /// `forms_only`: as far as DeviceRequest::forms_only.
  std::function<bool(bool forms_only)> make;
  std::vector<std::string> outputs;  // files that `make` makes, and the command runs
};

/// Searches, writes the tune file and leaves the outputs as they are with it. False after an error
/// message: the outputs are then as the compiler chooses.
bool run_tuning(const TuneJob& job);

}  // namespace gridspan::driver
