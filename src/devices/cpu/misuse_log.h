// Interpret mode's reports: each misuse once per kernel and source line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "devices/cpu/global_races.h"
#include "devices/cpu/part.h"
#include "devices/memory_map.h"

#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace gridspan::devices::cpu {

/// What interpret mode looks for.
struct CheckChoice {
  bool sync = true;             // misused barriers and warp operations
  bool shared_races = true;     // and values of shared memory
  bool shared_init = true;      // that nobody wrote
  MemoryMap* memory = nullptr;  // what kernels may touch; null: anything
  bool global_races = false;    // with `memory`
  bool early_exits = false;     // barriers that some threads left before: hardware lets them
  bool bounds = true;           // accesses of what is not there, with `memory`
};

class MisuseLog {
 public:
  explicit MisuseLog(const CheckChoice& choice = {}) : choice_(choice) {}
  const CheckChoice& choice() const { return choice_; }
  GlobalRaces& global_races() { return global_races_; }

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

  const CheckChoice choice_;
  GlobalRaces global_races_;
  std::mutex mutex_;
  std::set<std::pair<std::string, std::string>> reported_;  // kernel, place and rule
};

}  // namespace gridspan::devices::cpu
