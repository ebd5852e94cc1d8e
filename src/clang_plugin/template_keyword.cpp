// Writing `template`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/template_keyword.h"

#include "clang_plugin/scan.h"
#include "clang_plugin/written_range.h"

namespace gridspan::clang_plugin {
namespace {

std::optional<Edit> before_name(const SourceText& source, std::size_t name) {
  if (name >= source.text.size() || !is_word(source.text[name])) return std::nullopt;
  const std::string_view before = source.text.substr(0, skip_blanks_back(source.text, name));
  if (!before.ends_with(".") && !before.ends_with("->") && !before.ends_with("::"))
    return std::nullopt;
  return source.replace(name, name, "template ");
}

}  // namespace

std::optional<Edit> template_keyword(const Complaint& complaint) {
  return before_name(complaint.written, complaint.written.at);
}

std::optional<Edit> template_keyword_of_member(const Complaint& complaint) {
  const auto member = written_range(complaint, 0);
  if (!member) return std::nullopt;
  const std::size_t behind = skip_blanks(member->text, member->end);
  if (member->text.substr(behind, 1) != "<") return std::nullopt;
  return before_name(*member, word_back(member->text, member->end));
}

}  // namespace gridspan::clang_plugin
