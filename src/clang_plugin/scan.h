// Steps over C++ text, back and forth, without a preprocessor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>

namespace gridspan::clang_plugin {

constexpr std::size_t nowhere = std::string_view::npos;

inline bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

inline std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

/// Where the blanks before `at` begin.
inline std::size_t skip_blanks_back(std::string_view text, std::size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at;
}

/// Where the word that ends at `at` begins; `at` if there is none.
inline std::size_t word_back(std::string_view text, std::size_t at) {
  while (at > 0 && is_word(text[at - 1])) --at;
  return at;
}

/// Behind the bracket that closes the one at `at`.
inline std::size_t behind_brackets(std::string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  for (; at < text.size() && text[at] != ';'; ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) return at + 1;
  }
  return nowhere;
}

/// The bracket that opens what closes right before `at`.
inline std::size_t opening_back(std::string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  while (at > 0 && text[at - 1] != ';') {
    --at;
    if (text[at] == close) ++depth;
    if (text[at] == open && --depth == 0) return at;
  }
  return nowhere;
}

}  // namespace gridspan::clang_plugin
