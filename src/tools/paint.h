// Colours of a terminal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace gridspan::tools {

/// Puts escape sequences around text, or leaves it plain.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string bold(std::string_view text) const { return with("1", text); }
  std::string faint(std::string_view text) const { return with("2", text); }
  std::string good(std::string_view text) const { return with("1;32", text); }
  std::string bad(std::string_view text) const { return with("1;31", text); }
  std::string notice(std::string_view text) const { return with("1;35", text); }
  std::string name(std::string_view text) const { return with("1;36", text); }

 private:
  std::string with(const char* code, std::string_view text) const {
    if (!on_) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
  bool on_;
};

/// Whether standard output shows colours: a terminal, and NO_COLOR is not set.
bool output_has_colours();

}  // namespace gridspan::tools
