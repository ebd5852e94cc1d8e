// Base64 in comment lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/module_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace gridspan::support {
namespace {

constexpr std::string_view first_line = "// Gridspan module";
constexpr std::string_view second_line = "// (for CPUs; cuModuleLoadData takes it as it is)";
constexpr std::string_view data_mark = "//:";
constexpr std::string_view end_mark = "//.";
constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t bytes_per_line = 57;  // 76 digits

/// Up to three bytes as four digits.
void append_digits(std::string& text, std::string_view bytes) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 3; ++i)
    bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
  for (std::size_t i = 0; i < 4; ++i)
    text += i <= bytes.size() ? digits[bits >> (18 - 6 * i) & 63] : '=';
}

constexpr std::array<signed char, 256> make_values() {
  std::array<signed char, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < digits.size(); ++i)
    values[static_cast<unsigned char>(digits[i])] = static_cast<signed char>(i);
  return values;
}

/// Appends the bytes of one line's digits. False: something else stands there.
bool append_bytes(std::string& bytes, std::string_view line) {
  static constexpr auto values = make_values();
  std::uint32_t bits = 0;
  unsigned held = 0;
  while (line.ends_with('=')) line.remove_suffix(1);
  for (const char digit : line) {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): -1 is no digit
    const int value = values[static_cast<unsigned char>(digit)];
    if (value < 0) return false;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255);
  }
  return true;
}

}  // namespace

bool is_module_text(std::string_view start) { return start.starts_with(first_line); }

std::string to_module_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() / bytes_per_line * 81 + 256);
  text.append(first_line).append("\n").append(second_line).append("\n");
  while (!bytes.empty()) {
    text += data_mark;
    for (std::string_view line = bytes.substr(0, bytes_per_line); !line.empty();) {
      append_digits(text, line.substr(0, 3));
      line.remove_prefix(std::min<std::size_t>(3, line.size()));
    }
    text += '\n';
    bytes.remove_prefix(std::min(bytes_per_line, bytes.size()));
  }
  return text.append(end_mark).append("\n");
}

Result<std::string> from_module_text(const char* text) {
  std::string bytes;
  while (*text != '\0') {
    const std::size_t length = std::strcspn(text, "\r\n");
    std::string_view line(text, length);
    text += length + (text[length] != '\0' ? 1 : 0);
    if (line == end_mark) return bytes;
    if (!line.starts_with(data_mark)) continue;
    line.remove_prefix(data_mark.size());
    if (!append_bytes(bytes, line)) return fail("the module's text is damaged");
  }
  return fail("the module's text is cut short");
}

}  // namespace gridspan::support
