// Making an expression depend on the template around it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lambda in a template has a type of its own in each instance, so nothing is known of what it
// returns until there is one:
//
//     packet->length     →     [](auto&& gridspan_x) -> auto&& { return gridspan_x;
//     }(packet)->length
#include "clang_plugin/incomplete_members.h"

#include "clang_plugin/scan.h"

#include <string>

namespace gridspan::clang_plugin {
namespace {

constexpr std::string_view later = "[](auto&& gridspan_x) -> auto&& { return gridspan_x; }";

/// Where the postfix expression that ends at `end` begins: names, members, calls, subscripts.
std::size_t expression_before(std::string_view text, std::size_t end) {
  std::size_t begin = nowhere;
  std::size_t at = end;
  for (;;) {
    at = skip_blanks_back(text, at);
    bool is_operand = false;
    while (at > 0 && (text[at - 1] == ')' || text[at - 1] == ']')) {
      const bool is_call = text[at - 1] == ')';
      at = opening_back(text, at, is_call ? '(' : '[', is_call ? ')' : ']');
      if (at == nowhere) return begin;
      begin = at;
      is_operand = true;
      at = skip_blanks_back(text, at);
    }
    if (at > 0 && text[at - 1] == '>' && (at < 2 || text[at - 2] != '-')) {  // f<int>(x), a cast
      const std::size_t open = opening_back(text, at, '<', '>');
      if (open == nowhere) return begin;
      at = skip_blanks_back(text, open);
    }
    const std::size_t word = word_back(text, at);
    const std::string_view name = text.substr(word, at - word);
    if (!name.empty() && name != "return" && name != "else" && name != "case") {
      at = begin = word;
      is_operand = true;
    }
    if (!is_operand) return begin;
    const std::size_t before = skip_blanks_back(text, at);
    const std::string_view rest = text.substr(0, before);
    if (rest.ends_with("->") || rest.ends_with("::"))
      at = before - 2;
    else if (rest.ends_with("."))
      at = before - 1;
    else
      return begin;
  }
}

}  // namespace

std::optional<Edit> later_lookup(const Complaint& complaint) {
  if (!complaint.in_template) return std::nullopt;
  const SourceText& sign = complaint.written;
  std::size_t end = sign.at;
  // clang points at the `->`, the `.` or the `[`, or at the member's name.
  if (end < sign.text.size() && is_word(sign.text[end])) {
    end = skip_blanks_back(sign.text, end);
    const std::string_view before = sign.text.substr(0, end);
    if (before.ends_with("->"))
      end -= 2;
    else if (before.ends_with("."))
      end -= 1;
    else
      return std::nullopt;
  }
  end = skip_blanks_back(sign.text, end);
  const std::size_t begin = expression_before(sign.text, end);
  if (begin == nowhere || sign.text.substr(0, begin).ends_with("gridspan_x; }"))
    return std::nullopt;
  const std::string operand(sign.text.substr(begin, end - begin));
  return sign.replace(begin, end, std::string(later) + "(" + operand + ")");
}

}  // namespace gridspan::clang_plugin
