// Interpret mode's reports: each misuse once per kernel and source line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "devices/cpu/part.h"

#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace gridspan::devices::cpu {

class MisuseLog {
 public:
  /// Ends `part` with Fault::misuse when it is done (it runs on until then) and prints
  /// `file:line:col: error: text` to stderr unless this place of this kernel was reported before.
  /// Places without line information are told apart by `rule`.
  void report(Part& part, const abi::SourcePoint* where, const char* rule, const std::string& text);

  /// Prints a warning in the same form and lets the launch succeed: for what hardware runs and some
  /// programs do on purpose, such as reading values that are thrown away.
  void warn(Part& part, const abi::SourcePoint* where, const char* rule, const std::string& text);

 private:
  /// The caller holds `mutex_`.
  void print_once(Part& part, const abi::SourcePoint* where, const char* rule,
                  const std::string& line);

  std::mutex mutex_;
  std::set<std::pair<std::string, std::string>> reported_;  // kernel, place and rule
};

}  // namespace gridspan::devices::cpu
