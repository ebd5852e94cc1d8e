// Characters of PTX text, read from left to right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/inline_ptx/syntax.h"

namespace gridspan::transforms::ptx {

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { skip_space(); }

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  /// What is left, for messages.
  std::string_view rest() const { return text_.substr(at_); }

  bool take(char character);
  /// add.cc.u32, ld.global.L2::128B, .reg
  std::string opcode();
  /// A register, label or special register: letters, digits and _ $ % with dots inside.
  std::string name();
  /// A label's name and colon, or nothing at all.
  std::optional<std::string> label();
  /// A number, in any of PTX's notations, with its sign.
  std::optional<Operand> number();

 private:
  void skip_space();
  std::size_t skip_name(std::size_t from) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace gridspan::transforms::ptx
