// Launches in a source text, found by its tokens alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>
#include <vector>

namespace gridspan::driver {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// `callee<<<…>>>(`: positions in the text.
struct Launch {
  std::size_t callee;              // where the kernel's name begins, with its qualifiers
  std::size_t open;                // of <<<
  std::size_t close;               // of >>>
  unsigned first_line, last_line;  // of the callee, from 1
  std::vector<std::size_t> nulls;  // of arguments that are just NULL
};

/// All launches, in order. Comments and literals hold none.
std::vector<Launch> find_launches(std::string_view source);

}  // namespace gridspan::driver
