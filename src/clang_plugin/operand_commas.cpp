// Writing the commas.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/operand_commas.h"

#include "clang_plugin/scan.h"

namespace gridspan::clang_plugin {
namespace {

/// Behind the operand `[name] "r"(value)` at `at`.
std::size_t behind_operand(std::string_view text, std::size_t at) {
  if (text.substr(at, 1) == "[") {
    at = behind_brackets(text, at, '[', ']');
    if (at == nowhere) return nowhere;
    at = skip_blanks(text, at);
  }
  if (text.substr(at, 1) != "\"") return nowhere;
  at = text.find('"', at + 1);
  if (at == nowhere) return nowhere;
  at = skip_blanks(text, at + 1);
  return text.substr(at, 1) == "(" ? behind_brackets(text, at, '(', ')') : nowhere;
}

/// A string right before what the bracket at `at` opens: so it is in no other place of C++.
bool follows_string(std::string_view text, std::size_t at) {
  at = skip_blanks_back(text, at);
  return at > 0 && text[at - 1] == '"';
}

}  // namespace

std::optional<Edit> operand_commas(const Complaint& complaint) {
  const SourceText& source = complaint.written;
  const std::string_view text = source.text;
  const std::size_t end_before = skip_blanks_back(text, source.at);
  if (end_before == 0 || text[end_before - 1] != ')') return std::nullopt;
  const std::size_t opening = opening_back(text, end_before, '(', ')');
  if (opening == nowhere || !follows_string(text, opening)) return std::nullopt;
  std::string written;
  std::size_t at = source.at;
  while (true) {
    const std::size_t end = behind_operand(text, at);
    if (end == nowhere) break;
    written += ", " + std::string(text.substr(at, end - at));
    at = end;
    const std::size_t next = skip_blanks(text, end);
    if (text.substr(next, 1) != "\"" && text.substr(next, 1) != "[") break;
    written += text.substr(end, next - end);
    at = next;
  }
  if (written.empty()) return std::nullopt;
  return source.replace(source.at, at, std::move(written));
}

}  // namespace gridspan::clang_plugin
