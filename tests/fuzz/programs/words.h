// The words of a command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "objects.h"

#include <sstream>
#include <string>

namespace programs {

/// Taken one after the other.
class Words {
 public:
  explicit Words(const std::string& line = "") : line_(line) {}

  std::string text() {
    std::string word;
    line_ >> word;
    return word;
  }
  size_t number() { return std::stoull(text()); }
  bool is_async() { return text() == "async"; }
  Content content() {
    Content made;
    made.what = text();
    made.count = number(), made.seed = number(), made.low = number(), made.high = number();
    return made;
  }

 private:
  std::istringstream line_;
};

}  // namespace programs
