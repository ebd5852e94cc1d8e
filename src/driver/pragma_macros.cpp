// Finding `#define NAME #pragma WORDS`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/pragma_macros.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

namespace gridspan::driver {
namespace {

/// Drops blanks and lines' continuations.
llvm::StringRef after_blanks(llvm::StringRef text) {
  for (;;) {
    text = text.ltrim(" \t");
    if (!text.consume_front("\\\n") && !text.consume_front("\\\r\n")) return text;
  }
}

bool consume_word(llvm::StringRef& text, llvm::StringRef word) {
  llvm::StringRef rest = text;
  if (!rest.consume_front(word)) return false;
  if (!rest.empty() && (llvm::isAlnum(rest.front()) || rest.front() == '_')) return false;
  text = rest;
  return true;
}

/// A line and the lines it goes on in, without the last line's end.
llvm::StringRef logical_line(llvm::StringRef source) {
  std::size_t end = source.find('\n');
  while (end != llvm::StringRef::npos && source.take_front(end).rtrim('\r').ends_with("\\"))
    end = source.find('\n', end + 1);
  return source.take_front(end);
}

/// What `#define NAME` of this line defines if that is a directive, from its `#` on; else empty.
/// Macros with parameters are none: there `#` makes a string.
llvm::StringRef directive_defined(llvm::StringRef line) {
  llvm::StringRef text = line.ltrim(" \t");
  if (!text.consume_front("#")) return {};
  text = after_blanks(text);
  if (!consume_word(text, "define")) return {};
  text = after_blanks(text);
  text = text.drop_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (text.starts_with("(")) return {};
  text = after_blanks(text);
  return text.starts_with("#") ? text : llvm::StringRef();
}

/// The words of `# pragma WORDS`, as they stand in a string; nothing if it is another directive.
std::optional<std::string> quoted_words(llvm::StringRef directive) {
  llvm::StringRef text = after_blanks(directive.drop_front());
  if (!consume_word(text, "pragma")) return std::nullopt;
  std::string words;
  while (!text.empty() && !text.starts_with("//")) {
    if (text.consume_front("/*")) {
      text = text.substr(text.find("*/")).drop_front(std::min<std::size_t>(2, text.size()));
      words += ' ';
    } else if (text.consume_front("\\\n") || text.consume_front("\\\r\n")) {
      words += ' ';
    } else {
      if (text.front() == '"' || text.front() == '\\') words += '\\';
      words += text.front();
      text = text.drop_front();
    }
  }
  return llvm::StringRef(words).trim().str();
}

}  // namespace

std::optional<std::string> respell_pragma_macros(std::string_view source) {
  llvm::StringRef rest(source);
  if (!rest.contains("pragma")) return std::nullopt;
  std::string text;
  bool changed = false;
  while (!rest.empty()) {
    const llvm::StringRef line = logical_line(rest);
    rest = rest.drop_front(line.size());
    const llvm::StringRef directive = directive_defined(line);
    const auto words = directive.empty() ? std::nullopt : quoted_words(directive);
    if (words) {
      changed = true;
      text += line.drop_back(directive.size());
      text += "_Pragma(\"" + *words + "\")";
      for (std::size_t i = directive.count('\n'); i > 0; --i) text += "\\\n";
    } else {
      text += line;
    }
    if (rest.consume_front("\n")) text += '\n';
  }
  if (!changed) return std::nullopt;
  return text;
}

}  // namespace gridspan::driver
