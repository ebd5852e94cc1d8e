// Removing a template's own parameters behind its name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/repeated_arguments.h"

#include "clang_plugin/scan.h"

#include <string>
#include <vector>

namespace gridspan::clang_plugin {
namespace {

/// Takes a list in angle brackets apart at its commas.
std::vector<std::string_view> items_of(std::string_view list) {
  std::vector<std::string_view> items;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c != ',' || depth != 0) continue;
    items.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return items;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// `class U`, `int n = 3`: the name.
std::string_view parameter_name(std::string_view parameter) {
  parameter = trimmed(parameter.substr(0, parameter.find('=')));
  return parameter.substr(word_back(parameter, parameter.size()));
}

/// `U`, `n`, `Us...`
std::string_view argument_name(std::string_view argument) {
  argument = trimmed(argument);
  if (argument.ends_with("...")) argument.remove_suffix(3);
  return trimmed(argument);
}

/// `template <class> class Q` inside a template header
bool is_parameter(std::string_view text, std::size_t keyword) {
  const std::size_t before = skip_blanks_back(text, keyword);
  return before != 0 && (text[before - 1] == '<' || text[before - 1] == ',');
}

/// The innermost template header before `at`: what stands in its angle brackets.
std::optional<std::string_view> parameters_before(std::string_view text, std::size_t at) {
  std::size_t keyword = text.rfind("template", at);
  while (keyword != nowhere && is_parameter(text, keyword))
    keyword = keyword == 0 ? nowhere : text.rfind("template", keyword - 1);
  if (keyword == nowhere) return std::nullopt;
  const std::size_t open = text.find('<', keyword);
  if (open == nowhere || open > at) return std::nullopt;
  const std::size_t end = behind_brackets(text, open, '<', '>');
  if (end == nowhere || end > at) return std::nullopt;
  return text.substr(open + 1, end - open - 2);
}

}  // namespace

std::optional<Edit> without_repeated_arguments(const Complaint& complaint) {
  const SourceText& written = complaint.written;
  const std::string_view text = written.text;
  const auto parameters = parameters_before(text, written.at);
  const std::size_t open = text.find('<', written.at);
  if (!parameters || open == nowhere) return std::nullopt;
  const std::size_t end = behind_brackets(text, open, '<', '>');
  if (end == nowhere) return std::nullopt;
  const auto names = items_of(*parameters);
  const auto arguments = items_of(text.substr(open + 1, end - open - 2));
  if (names.size() != arguments.size()) return std::nullopt;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (parameter_name(names[i]) != argument_name(arguments[i])) return std::nullopt;
  return written.replace(open, end, std::string(end - open, ' '));
}

}  // namespace gridspan::clang_plugin
