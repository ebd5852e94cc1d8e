// Rewriting operands of type void*.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/void_pointers.h"

#include "clang_plugin/scan.h"
#include "clang_plugin/written_range.h"

#include <string>

namespace gridspan::clang_plugin {

std::optional<Edit> arithmetic_in_bytes(const Complaint& complaint) {
  const auto operand = written_range(complaint, 0);
  if (!operand || complaint.diagnostic.getNumRanges() != 1) return std::nullopt;
  const SourceText& sign = complaint.written;
  const std::string_view rest = sign.text.substr(sign.at);
  const bool is_step = rest.starts_with("++") || rest.starts_with("--");
  const bool is_left = sign.file != operand->file || operand->end <= sign.at;
  if (is_step || !is_left || (rest[0] != '+' && rest[0] != '-')) return std::nullopt;
  return operand->replace(operand->at, operand->end,
                          "gridspan_bytes(" + std::string(operand->words()) + ")");
}

std::optional<Edit> cast_of_address(const Complaint& complaint) {
  const auto cast = written_range(complaint, 0), operand = written_range(complaint, 1);
  if (!cast || !operand || cast->file != operand->file || operand->at < cast->at ||
      operand->end > cast->end)
    return std::nullopt;
  std::string before(cast->text.substr(cast->at, operand->at - cast->at));
  const std::string_view named = "reinterpret_cast";
  if (before.starts_with(named)) before.replace(0, named.size(), "static_cast");
  return cast->replace(cast->at, operand->end,
                       before + "gridspan_address(" + std::string(operand->words()) + ")");
}

std::optional<Edit> size_of_void(const Complaint& complaint) {
  const auto operand = written_range(complaint, 0);
  if (!operand) return std::nullopt;
  const std::string_view word = "void";
  std::size_t at = operand->at;
  if (operand->text[at] == '(') at = skip_blanks(operand->text, at + 1);
  const std::size_t end = at + word.size();
  if (operand->text.substr(at, word.size()) != word ||
      operand->text.substr(skip_blanks(operand->text, end), 1) != ")")
    return std::nullopt;
  return operand->replace(at, end, "char");
}

}  // namespace gridspan::clang_plugin
