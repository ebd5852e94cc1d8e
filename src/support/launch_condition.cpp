// The text of conditions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/launch_condition.h"

#include "support/take.h"

#include <charconv>

namespace gridspan::support {
namespace {

std::string size_text(const LaunchCondition::Size& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

template <class Number>
bool read_number(std::string_view text, Number& into, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into, base);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<LaunchCondition::Size> read_size(std::string_view text) {
  LaunchCondition::Size size{};
  for (std::uint32_t& one : size)
    if (!read_number(take(text, 'x'), one) || one == 0) return std::nullopt;
  return text.empty() ? std::optional(size) : std::nullopt;
}

bool read_term(std::string_view name, std::string_view value, LaunchCondition& into) {
  if (name == "block") return (into.block = read_size(value)).has_value();
  unsigned index = 0;
  std::uint64_t bits = 0;
  if (!name.starts_with("arg") || !read_number(name.substr(3), index)) return false;
  if (!read_number(value, bits, 16)) return false;
  return into.scalars.emplace(index, bits).second;
}

}  // namespace

std::string to_text(const LaunchCondition& condition) {
  std::string text;
  auto add = [&](const std::string& term) { text += (text.empty() ? "" : ",") + term; };
  if (condition.block) add("block=" + size_text(*condition.block));
  for (const auto& [index, bits] : condition.scalars) {
    char digits[16];
    const char* end = std::to_chars(digits, digits + sizeof digits, bits, 16).ptr;
    add("arg" + std::to_string(index) + "=" + std::string(static_cast<const char*>(digits), end));
  }
  return text;
}

std::optional<LaunchCondition> parse_condition(std::string_view text) {
  LaunchCondition condition;
  while (!text.empty()) {
    std::string_view term = take(text, ',');
    const std::string_view name = take(term, '=');
    if (!read_term(name, term, condition)) return std::nullopt;
  }
  return condition;
}

}  // namespace gridspan::support
