// Exchanging specifiers and attributes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/attribute_order.h"

#include "clang_plugin/scan.h"

#include "clang/Lex/Preprocessor.h"

namespace gridspan::clang_plugin {
namespace {

/// The attribute at or around `at`: `[[…]]` or `alignas(…)`.
std::size_t attribute_around(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("alignas") || text.substr(at).starts_with("[[")) return at;
  const std::size_t open = text.rfind("[[", at);
  const bool is_inside =
      open != nowhere && text.substr(open, at - open).find_first_of(";{}") == nowhere;
  return is_inside ? open : nowhere;
}

std::size_t behind_attribute(std::string_view text, std::size_t at) {
  if (text[at] == '[') return behind_brackets(text, at, '[', ']');
  const std::size_t open = text.find('(', at);
  return open == nowhere ? nowhere : behind_brackets(text, open, '(', ')');
}

/// Behind this attribute and those that follow.
std::size_t behind_attributes(std::string_view text, std::size_t at) {
  std::size_t end = behind_attribute(text, at);
  while (end != nowhere) {
    const std::size_t next = skip_blanks(text, end);
    const std::string_view rest = text.substr(next);
    if (!rest.starts_with("[[") && !rest.starts_with("alignas")) break;
    end = behind_attribute(text, next);
  }
  return end;
}

/// Where the specifiers before `at` begin: macros, as all of CUDA's are. Behind anything else nvcc,
/// too, takes no attribute.
std::size_t specifiers_before(std::string_view text, std::size_t at,
                              clang::Preprocessor& preprocessor) {
  for (;;) {
    std::size_t end = skip_blanks_back(text, at);
    if (end > 0 && text[end - 1] == ')') {  // __launch_bounds__(64)
      end = opening_back(text, end, '(', ')');
      if (end == nowhere) return at;
      end = skip_blanks_back(text, end);
    }
    const std::size_t begin = word_back(text, end);
    const std::string_view word = text.substr(begin, end - begin);
    const bool is_specifier =
        !word.empty() && (word == "__attribute__" ||
                          preprocessor.isMacroDefined(llvm::StringRef(word.data(), word.size())));
    if (!is_specifier) return at;
    at = begin;
  }
}

}  // namespace

std::optional<Edit> attribute_first(const Complaint& complaint) {
  const SourceText& written = complaint.written;
  const std::string_view text = written.text;
  const std::size_t attribute = attribute_around(text, written.at);
  if (attribute == nowhere) return std::nullopt;
  const std::size_t end = behind_attributes(text, attribute);
  const std::size_t begin = specifiers_before(text, attribute, complaint.preprocessor);
  if (end == nowhere || begin == attribute) return std::nullopt;
  const std::size_t behind_specifiers = skip_blanks_back(text, attribute);
  std::string other(text.substr(attribute, end - attribute));
  other += text.substr(behind_specifiers, attribute - behind_specifiers);
  other += text.substr(begin, behind_specifiers - begin);
  return written.replace(begin, end, std::move(other));
}

}  // namespace gridspan::clang_plugin
