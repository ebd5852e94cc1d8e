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

/// Is the word at `begin` the name in a `#define`, or on another line than `from`, a directive's?
bool is_of_directive(std::string_view text, std::size_t begin, std::size_t from) {
  const std::size_t line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
  const std::size_t first = skip_blanks(text, line);
  if (text[first] != '#') return false;
  const std::size_t before = skip_blanks_back(text, begin);
  return text.substr(0, before).ends_with("define") ||
         text.substr(begin, from - begin).find('\n') != nowhere;
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
    if (!is_specifier || is_of_directive(text, begin, at)) return at;
    at = begin;
  }
}

/// Exchanges what stands from `attribute` to `end` with the specifiers before it.
std::optional<Edit> exchanged(const SourceText& written, std::size_t attribute, std::size_t end,
                              clang::Preprocessor& preprocessor) {
  const std::string_view text = written.text;
  if (attribute == nowhere || end == nowhere) return std::nullopt;
  const std::size_t begin = specifiers_before(text, attribute, preprocessor);
  if (begin == attribute) return std::nullopt;
  const std::size_t behind_specifiers = skip_blanks_back(text, attribute);
  std::string other(text.substr(attribute, end - attribute));
  other += text.substr(behind_specifiers, attribute - behind_specifiers);
  other += text.substr(begin, behind_specifiers - begin);
  return written.replace(begin, end, std::move(other));
}

/// Behind a macro's name and its arguments.
std::size_t behind_macro(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word(text[at])) ++at;
  return at < text.size() && text[at] == '(' ? behind_brackets(text, at, '(', ')') : at;
}

}  // namespace

std::optional<Edit> attribute_first(const Complaint& complaint) {
  const SourceText& written = complaint.written;
  const std::size_t attribute = attribute_around(written.text, written.at);
  if (attribute != nowhere)
    if (auto edit = exchanged(written, attribute, behind_attributes(written.text, attribute),
                              complaint.preprocessor))
      return edit;
  // The attribute may be a macro, used behind specifiers in the source or in another macro.
  const clang::SourceManager& sources = complaint.diagnostic.getSourceManager();
  for (clang::SourceLocation place = complaint.diagnostic.getLocation(); place.isMacroID();) {
    place = sources.getImmediateExpansionRange(place).getBegin();
    const auto use = written_at(sources, place);
    if (!use) return std::nullopt;
    if (auto edit =
            exchanged(*use, use->at, behind_macro(use->text, use->at), complaint.preprocessor))
      return edit;
  }
  return std::nullopt;
}

}  // namespace gridspan::clang_plugin
