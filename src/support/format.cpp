// vsnprintf twice: how long, and the text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/format.h"

#include <cstdio>

namespace gridspan::support {

std::string formatted_list(const char* pattern, std::va_list arguments) {
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, again);
  va_end(again);
  if (length < 0) return {};
  std::string text(static_cast<std::size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, arguments);
  return text;
}

std::string formatted(const char* pattern, ...) {
  std::va_list arguments;
  va_start(arguments, pattern);
  std::string text = formatted_list(pattern, arguments);
  va_end(arguments);
  return text;
}

}  // namespace gridspan::support
