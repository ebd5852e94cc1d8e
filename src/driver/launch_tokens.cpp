// A scanner that knows just enough of C++'s tokens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/launch_tokens.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

namespace gridspan::driver {
namespace {

struct Token {
  enum class Kind : unsigned char { word, literal, sign } kind;
  std::size_t begin, end;
  unsigned line;
};

/// Takes a text apart: words, literals, single characters; `::`, `->` and `<<<` are one.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool next_is(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    const char c = text_[at_];
    if (next_is("//")) return skip_to("\n", 2, false);
    if (next_is("/*")) return skip_to("*/", 2, true);
    if (c == '"' || c == '\'') return literal(c);
    if (is_word(c)) return word();
    if (c == '\n') ++line_;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
      return;
    }
    std::size_t length = 1;
    for (const std::string_view sign : {"<<<", "::", "->"})
      if (next_is(sign)) length = sign.size();
    add(Token::Kind::sign, at_ + length);
  }

  void add(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, at_, end, line_});
    advance(end);
  }
  void advance(std::size_t end) {
    for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
  }
  void skip_to(std::string_view end, std::size_t from, bool past) {
    const std::size_t found = text_.find(end, at_ + from);
    if (found == std::string_view::npos) return advance(text_.size());
    advance(found + (past ? end.size() : 0));
  }

  /// Ends at its quote, or at the end of the line (an apostrophe in `#error don't`).
  void literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
      end += text_[end] == '\\' ? 2 : 1;
    add(Token::Kind::literal, std::min(end + 1, text_.size()));
  }

  /// Also numbers with their apostrophes, and raw strings.
  void word() {
    std::size_t end = at_;
    const bool number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
    while (end < text_.size() &&
           (is_word(text_[end]) ||
            (number && text_[end] == '\'' && end + 1 < text_.size() && is_word(text_[end + 1]))))
      ++end;
    const bool raw = text_[end - 1] == 'R' && end < text_.size() && text_[end] == '"';
    const std::size_t open = raw ? text_.find('(', end) : std::string_view::npos;
    if (open == std::string_view::npos) return add(Token::Kind::word, end);
    std::string close = ")";
    close.append(text_.substr(end + 1, open - end - 1)).append("\"");
    const std::size_t found = text_.find(close, open);
    add(Token::Kind::literal,
        found == std::string_view::npos ? text_.size() : found + close.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  std::vector<Token> tokens_;
};

/// Looks for launches among tokens.
class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text), tokens_(Scanner(text).run()) {}

  std::vector<Launch> run() const {
    std::vector<Launch> found;
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (spelling(i) != "<<<") continue;
      const auto callee = callee_before(i);
      const auto close = close_of(i);
      if (callee && close)
        found.push_back({tokens_[*callee].begin, tokens_[i].begin, tokens_[*close].begin,
                         tokens_[*callee].line, tokens_[i].line, nulls_behind(*close + 3)});
    }
    return found;
  }

 private:
  std::string_view spelling(std::size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool is_name(std::size_t i) const { return tokens_[i].kind == Token::Kind::word; }

  /// The bracket that `close` closes, going back; `<` and `>` count when it is a `>`.
  std::optional<std::size_t> opening(std::size_t close) const {
    const bool angles = spelling(close) == ">";
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
      const std::string_view token = spelling(i);
      const bool closes = token == ")" || token == "]" || token == "}";
      if (token == ";" || token == "<<<") return std::nullopt;
      if (angles && closes) {  // comparisons are in parentheses
        const auto open = opening(i);
        if (!open) return std::nullopt;
        i = *open;
        continue;
      }
      if (closes || (angles && token == ">")) ++depth;
      if (token == "(" || token == "[" || token == "{" || (angles && token == "<")) --depth;
      if (depth == 0) return i;
    }
    return std::nullopt;
  }

  /// The first token of the name before token `end`: `a::b<int>::c`, `x.y`, `(f)`, `table[i]`.
  std::optional<std::size_t> callee_before(std::size_t end) const {
    std::size_t i = end;
    for (;;) {
      if (i == 0) return std::nullopt;
      --i;
      if (spelling(i) == ">" || spelling(i) == ")" || spelling(i) == "]") {
        const bool grouping = spelling(i) == ")";
        const auto open = opening(i);
        if (!open) return std::nullopt;
        i = *open;
        if (grouping) return i;
        if (i == 0 || !is_name(i - 1)) return std::nullopt;
        --i;
      }
      if (!is_name(i)) return std::nullopt;
      if (i > 0 && spelling(i - 1) == "template") --i;
      const std::string_view before = i > 0 ? spelling(i - 1) : std::string_view();
      if (before != "::" && before != "." && before != "->") return i;
      --i;
      const bool qualified = i > 0 && (is_name(i - 1) || spelling(i - 1) == ">" ||
                                       spelling(i - 1) == ")" || spelling(i - 1) == "]");
      if (!qualified || is_statement_word(i - 1)) return i;  // a leading ::
    }
  }
  bool is_statement_word(std::size_t i) const {
    const std::string_view word = spelling(i);
    return word == "else" || word == "do" || word == "return" || word == ")";
  }

  /// `>>>` followed by `(`, outside brackets that opened behind the `<<<`.
  std::optional<std::size_t> close_of(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open + 1; i + 3 < tokens_.size(); ++i) {
      const std::string_view token = spelling(i);
      if (token == "(" || token == "[" || token == "{") ++depth;
      if (token == ")" || token == "]" || token == "}") --depth;
      if (depth < 0 || token == ";") return std::nullopt;
      const bool closes = depth == 0 && text_.substr(tokens_[i].begin, 3) == ">>>";
      if (!closes) continue;
      std::size_t next = i + 3;
      while (next < tokens_.size() && spelling(next) == "\\") ++next;
      if (next < tokens_.size() && spelling(next) == "(") return i;
    }
    return std::nullopt;
  }

  /// Arguments of the list that begins behind token `i` or after it.
  std::vector<std::size_t> nulls_behind(std::size_t i) const {
    std::vector<std::size_t> found;
    int depth = 0;
    for (; i + 1 < tokens_.size(); ++i) {
      const std::string_view token = spelling(i), before = spelling(i - 1), after = spelling(i + 1);
      if (token == "(" || token == "[" || token == "{") ++depth;
      if (token == ")" || token == "]" || token == "}") --depth;
      if ((depth == 0 && token == ")") || token == ";") break;
      const bool alone = (before == "(" || before == ",") && (after == ")" || after == ",");
      if (depth == 1 && token == "NULL" && alone) found.push_back(tokens_[i].begin);
    }
    return found;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Launch> find_launches(std::string_view source) {
  if (source.find("<<<") == std::string_view::npos) return {};
  return Finder(source).run();
}

}  // namespace gridspan::driver
