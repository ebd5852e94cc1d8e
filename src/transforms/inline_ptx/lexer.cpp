// Names, numbers, space and comments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/lexer.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace gridspan::transforms::ptx {

static constexpr char argument_mark = '\x01';

std::string argument_name(unsigned index) { return argument_mark + std::to_string(index); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_name_character(char c) {
  return is_digit(c) || is_letter(c) || c == '_' || c == '$' || c == '%' || c == argument_mark;
}

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    const std::string_view left = rest();
    if (left.starts_with("//"))
      at_ += std::min(left.find('\n'), left.size());
    else if (left.starts_with("/*"))
      at_ += std::min(left.find("*/"), left.size() - 2) + 2;
    else if (std::string_view(" \t\n\r\v\f").find(left[0]) != std::string_view::npos)
      ++at_;
    else
      return;
  }
}

bool Lexer::take(char character) {
  if (peek() != character || at_end()) return false;
  ++at_;
  skip_space();
  return true;
}

std::string Lexer::opcode() {
  std::size_t end = at_;
  while (end < text_.size()) {
    if (text_.substr(end).starts_with("::"))
      end += 2;
    else if (is_name_character(text_[end]) || text_[end] == '.')
      ++end;
    else
      break;
  }
  std::string found(text_.substr(at_, end - at_));
  at_ = end;
  skip_space();
  return found;
}

std::size_t Lexer::skip_name(std::size_t from) const {
  while (from < text_.size() && is_name_character(text_[from])) ++from;
  return from;
}

std::string Lexer::name() {
  std::size_t end = skip_name(at_);
  while (end > at_ && end + 1 < text_.size() && text_[end] == '.' && is_letter(text_[end + 1]))
    end = skip_name(end + 1);
  std::string found(text_.substr(at_, end - at_));
  at_ = end;
  skip_space();
  return found;
}

std::optional<std::string> Lexer::label() {
  const std::size_t start = at_, end = skip_name(at_);
  if (end == start) return std::nullopt;
  at_ = end;
  skip_space();
  if (peek() == ':' && !rest().starts_with("::")) {
    take(':');
    return std::string(text_.substr(start, end - start));
  }
  at_ = start;
  return std::nullopt;
}

/// 0f3f800000 and 0d3ff0000000000000: the bits of a float and of a double.
static std::optional<double> real_bits(std::string_view word) {
  if (word.size() < 3 || word[0] != '0') return std::nullopt;
  const bool is_single = (word[1] == 'f' || word[1] == 'F') && word.size() == 10;
  const bool is_double = (word[1] == 'd' || word[1] == 'D') && word.size() == 18;
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), bits, 16);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (is_single) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return is_double ? std::optional(std::bit_cast<double>(bits)) : std::nullopt;
}

static std::optional<std::uint64_t> integer(std::string_view word) {
  if (word.ends_with('U')) word.remove_suffix(1);
  int base = 10;
  if (word.starts_with("0x") || word.starts_with("0X") || word.starts_with("0b") ||
      word.starts_with("0B")) {
    base = word[1] == 'x' || word[1] == 'X' ? 16 : 2;
    word.remove_prefix(2);
  } else if (word.size() > 1 && word[0] == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

static std::optional<double> decimal(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<Operand> Lexer::number() {
  std::size_t begin = at_;
  const bool is_negative = peek() == '-';
  if (is_negative || peek() == '+') ++begin;
  std::size_t end = begin;
  while (end < text_.size() && (is_digit(text_[end]) || is_letter(text_[end]) || text_[end] == '.'))
    ++end;
  const std::string_view word = text_.substr(begin, end - begin);
  if (word.empty() || !is_digit(word[0])) return std::nullopt;
  Operand operand;
  if (auto bits = real_bits(word)) {
    operand.kind = Operand::Kind::real;
    operand.real = is_negative ? -*bits : *bits;
  } else if (auto value = integer(word)) {
    operand.kind = Operand::Kind::integer;
    operand.integer = is_negative ? 0 - *value : *value;
  } else if (auto real = decimal(word)) {
    operand.kind = Operand::Kind::real;
    operand.real = is_negative ? -*real : *real;
  } else {
    return std::nullopt;
  }
  at_ = end;
  skip_space();
  return operand;
}

}  // namespace gridspan::transforms::ptx
