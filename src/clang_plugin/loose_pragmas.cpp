// Blanking out a pragma.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/loose_pragmas.h"

#include "clang_plugin/scan.h"

namespace gridspan::clang_plugin {

std::optional<Edit> without_loose_pragma(const Complaint& complaint) {
  const SourceText& statement = complaint.written;
  const std::string_view text = statement.text;
  const std::size_t end = skip_blanks_back(text, statement.at);
  if (end == 0) return std::nullopt;
  std::size_t line = text.rfind('\n', end - 1);
  line = line == nowhere ? 0 : line + 1;
  std::size_t at = skip_blanks(text, line);
  if (text.substr(at, 1) != "#") return std::nullopt;
  at = skip_blanks(text, at + 1);
  if (!text.substr(at).starts_with("pragma")) return std::nullopt;
  return statement.replace(line, end, std::string(end - line, ' '));
}

}  // namespace gridspan::clang_plugin
