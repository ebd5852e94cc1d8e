// Says which argument of which call is refused, and why.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/support/refusals.h"

#include "libraries/support/log.h"

#include <string>

namespace gridspan::libraries {

void say_refused(const char* call, const char* argument, const char* why) {
  if (!call) return;
  listen_to_log();
  support::log(support::LogLevel::warn, "%s: argument '%s' %s", call, argument, why);
}

void say_less(const char* call, const char* argument, std::int64_t value, std::int64_t least,
              const char* unit) {
  const std::string why =
      "is " + std::to_string(value) + ", less than " + std::to_string(least) + unit;
  say_refused(call, argument, why.c_str());
}

void say_differs(const char* call, const char* argument, std::int64_t value, std::int64_t other,
                 const char* where) {
  const std::string why =
      "is " + std::to_string(value) + ", not " + std::to_string(other) + " as " + where;
  say_refused(call, argument, why.c_str());
}

void say_unknown(const char* call, const char* argument, std::int64_t value, const char* what) {
  const std::string why = "is " + std::to_string(value) + ", " + what;
  say_refused(call, argument, why.c_str());
}

}  // namespace gridspan::libraries
