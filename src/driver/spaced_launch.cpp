// Respelling of what nvcc takes and clang does not: a scanner that knows just enough of C++'s
// tokens. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/spaced_launch.h"

#include "driver/asm_percent.h"
#include "driver/launch_tokens.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace gridspan::driver {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

/// The word before position `at` is a CUDA memory space, which our headers spell as an attribute.
bool follows_memory_space(std::string_view text, std::size_t at) {
  while (at > 0 && is_space(text[at - 1])) --at;
  std::string_view before = text.substr(0, at);
  for (std::string_view word : {"__shared__", "__device__", "__constant__", "__managed__"})
    if (before.ends_with(word)) return true;
  return false;
}

/// Walks over the source and rewrites in place; positions never move.
class Respeller {
 public:
  explicit Respeller(std::string_view source) : text_(source) {}

  std::optional<std::string> run() {
    while (at_ < text_.size()) step();
    if (!changed_) return std::nullopt;
    return std::move(text_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool next_is(std::string_view token) const {
    return std::string_view(text_).substr(at_, token.size()) == token;
  }

  void step() {
    char c = peek();
    if (next_is("//"))
      skip_line_comment();
    else if (next_is("/*"))
      skip_past("*/", 2);
    else if (c == '"')
      skip_quoted('"');
    else if (c == '\'')
      skip_quoted('\'');
    else if (is_word(c))
      skip_word();
    else if (c == '<' || c == '>')
      read_angles(c);
    else
      read_other(c);
  }

  void skip_past(std::string_view end, std::size_t from) {
    std::size_t found = text_.find(end, at_ + from);
    at_ = found == std::string::npos ? text_.size() : found + end.size();
  }

  void skip_line_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '\\' && peek(1) == '\r' && peek(2) == '\n') ++at_;
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
  }

  /// A literal ends at its quote, or at the end of the line (an apostrophe in `#error don't`).
  void skip_quoted(char quote) {
    after_operator_ = false;
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n')
      at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
  }

  /// Identifiers and numbers, including 1'000'000, and raw strings R"tag(…)tag".
  void skip_word() {
    std::size_t begin = at_;
    bool number = std::isdigit(static_cast<unsigned char>(peek())) != 0;
    while (is_word(peek()) || (number && (peek() == '\'' && is_word(peek(1))))) ++at_;
    std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    bool raw = word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
    if (raw && peek() == '"') {
      std::size_t open = text_.find('(', at_);
      if (open == std::string::npos) return;
      std::string end = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
      skip_past(end, open - at_ + 1);
    }
    after_operator_ = word == "operator";
    if (word == "asm" || word == "__asm__" || word == "__asm") {
      changed_ |= double_percents(text_, at_);
      return;
    }
    if (word == "alignas" && follows_memory_space(text_, begin)) respell_alignas(begin);
  }

  /// C's spelling may follow GNU attributes. It is a letter longer: a second blank before it gives
  /// way, else what follows on the line moves by one column.
  void respell_alignas(std::size_t begin) {
    bool spare_blank = begin >= 2 && is_space(text_[begin - 1]) && is_space(text_[begin - 2]);
    if (spare_blank)
      text_.replace(begin - 1, 8, "_Alignas");
    else
      text_.replace(begin, 7, "_Alignas");
    at_ = begin + (spare_blank ? 7 : 8);
    changed_ = true;
  }

  /// `<<<{2, 1}, {33}>>>`: clang wants the type that nvcc knows these lists to have.
  void name_braced_list() {
    while (is_space(peek())) ++at_;
    if (peek() != '{') return;
    text_.insert(at_, "dim3");
    at_ += 4;
    changed_ = true;
  }

  void read_other(char c) {
    if (c == ',' && !launches_.empty() && launches_.back() == depth_) {
      ++at_;
      name_braced_list();
      return;
    }
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') --depth_;
    while (!launches_.empty() && launches_.back() > depth_) launches_.pop_back();
    if (c == ';') launches_.clear();
    if (!is_space(c)) after_operator_ = false;
    ++at_;
  }

  /// A run of `<` or `>`: is it, alone or with a single one after blanks, a launch's bracket?
  void read_angles(char angle) {
    std::size_t length = 0;
    while (peek(length) == angle) ++length;
    std::size_t blanks = 0;
    while (is_space(peek(length + blanks))) ++blanks;
    std::size_t single = length + blanks;
    bool spaced = length == 2 && blanks > 0 && peek(single) == angle && peek(single + 1) != angle &&
                  peek(single + 1) != '=';
    bool whole = length == 3;
    bool after_operator = std::exchange(after_operator_, false);
    bool is_launch =
        angle == '<' ? !after_operator : !launches_.empty() && launches_.back() == depth_;
    if (!is_launch || !(spaced || whole)) {
      at_ += length;
      return;
    }
    if (spaced) {
      close_up(at_ + length, at_ + single);
      changed_ = true;
    }
    at_ += 3;
    if (angle == '<') {
      launches_.push_back(depth_);
      name_braced_list();
    } else if (next_token_is_open_parenthesis())
      launches_.pop_back();  // else it closed template arguments inside the launch
  }

  /// Moves the angle at `lone` to `place`, where its two fellows end, so that everything behind
  /// keeps its line and column: within a line the blanks move behind it; across lines the angle's
  /// old column is filled with a blank and the first line grows by one.
  void close_up(std::size_t place, std::size_t lone) {
    auto at = [&](std::size_t i) { return text_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (std::find(at(place), at(lone), '\n') == at(lone)) {
      std::rotate(at(place), at(lone), at(lone) + 1);
      return;
    }
    char angle = std::exchange(text_[lone], ' ');
    text_.insert(place, 1, angle);
  }

  bool next_token_is_open_parenthesis() const {
    std::size_t i = at_;
    while (i < text_.size() && (is_space(text_[i]) || text_[i] == '\\')) ++i;
    return i < text_.size() && text_[i] == '(';
  }

  std::string text_;
  std::size_t at_ = 0;
  int depth_ = 0;              // of ( [ {
  std::vector<int> launches_;  // depth at each launch that is open
  bool after_operator_ = false;
  bool changed_ = false;
};

/// Is there `<<` blanks `<`, or `>>` blanks `>`, anywhere?
bool may_be_spaced(std::string_view source, std::string_view angles) {
  for (std::size_t at = source.find(angles); at != std::string_view::npos;
       at = source.find(angles, at + 1)) {
    std::size_t next = at + angles.size();
    if (next >= source.size() || !is_space(source[next])) continue;
    while (next < source.size() && is_space(source[next])) ++next;
    if (next < source.size() && source[next] == angles[0]) return true;
  }
  return false;
}

bool may_have_late_alignas(std::string_view source) {
  for (std::size_t at = source.find("alignas"); at != std::string_view::npos;
       at = source.find("alignas", at + 1))
    if (follows_memory_space(source, at)) return true;
  return false;
}

/// Is there a `{` that may begin a launch argument?
bool may_have_braced_launch(std::string_view source) {
  for (std::size_t at = source.find("<<<"); at != std::string_view::npos;
       at = source.find("<<<", at + 3)) {
    std::size_t end = std::min(source.find(">>>", at), source.find(';', at));
    if (source.substr(at, end == std::string_view::npos ? end : end - at).find('{') !=
        std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> respell_launches(std::string_view source) {
  if (!may_be_spaced(source, "<<") && !may_be_spaced(source, ">>") &&
      !may_have_late_alignas(source) && !may_have_braced_launch(source) &&
      !may_have_single_percent(source))
    return std::nullopt;
  return Respeller(source).run();
}

}  // namespace gridspan::driver
