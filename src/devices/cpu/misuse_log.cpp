// Interpret mode's reports: each misuse once per kernel and source line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/misuse_log.h"

#include "devices/cpu/messages.h"

#include <cstdio>

namespace gridspan::devices::cpu {

void MisuseLog::report(Part& part, const abi::SourcePoint* where, const char* rule,
                       const std::string& text) {
  const std::string line = message_prefix(where, "error") + text;
  // Both under one lock: of blocks that report at once, one is the part's result and is printed.
  const std::lock_guard lock(mutex_);
  part.report({Fault::misuse, line}, /*stop=*/false);
  print_once(part, where, rule, line);
}

void MisuseLog::warn(Part& part, const abi::SourcePoint* where, const char* rule,
                     const std::string& text) {
  const std::lock_guard lock(mutex_);
  print_once(part, where, rule, message_prefix(where, "warning") + text);
}

void MisuseLog::print_once(Part& part, const abi::SourcePoint* where, const char* rule,
                           const std::string& line) {
  const bool is_new = reported_.emplace(part.kernel().name, place_text(where) + " " + rule).second;
  if (is_new) std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace gridspan::devices::cpu
