// Device printf: format and packed arguments to text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/device_printf.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace gridspan::devices::cpu {
namespace {

/// Reads naturally aligned values one after another.
class PackedArguments {
 public:
  explicit PackedArguments(const void* memory) : memory_(static_cast<const char*>(memory)) {}
  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(static_cast<void*>(&value), memory_ + offset_, sizeof value);
    offset_ += sizeof value;
    ++count_;
    return value;
  }
  int count() const { return count_; }

 private:
  const char* memory_;
  std::size_t offset_ = 0;
  int count_ = 0;
};

/// One conversion specification, e.g. `%-08.*lld`.
struct Conversion {
  std::string flags;
  int width = -1;
  int precision = -1;
  std::string length;
  char letter = 0;
  bool is_wide() const {
    return length == "l" || length == "ll" || length == "j" || length == "z" || length == "t";
  }
};

/// Reads `*` (from the arguments) or digits; -1 if neither stands there.
int read_number(const char*& at, PackedArguments& arguments, bool& from_arguments) {
  from_arguments = *at == '*';
  if (from_arguments) {
    ++at;
    return arguments.next<std::int32_t>();
  }
  if (*at < '0' || *at > '9') return -1;
  int number = 0;
  for (; *at >= '0' && *at <= '9'; ++at) {
    if (number < 1'000'000) number = number * 10 + (*at - '0');
  }
  return number;
}

/// Reads what follows a `%`. `at` ends behind the conversion letter.
Conversion read_conversion(const char*& at, PackedArguments& arguments) {
  Conversion conversion;
  for (; *at != '\0' && std::strchr("-+ #0", *at) != nullptr; ++at) conversion.flags += *at;
  bool from_arguments = false;
  conversion.width = read_number(at, arguments, from_arguments);
  if (from_arguments && conversion.width < 0) {  // a negative width means left-justified
    conversion.flags += '-';
    conversion.width = -conversion.width;
  }
  if (*at == '.') {
    ++at;
    conversion.precision = read_number(at, arguments, from_arguments);
    if (conversion.precision < 0 && !from_arguments) conversion.precision = 0;
  }
  for (; *at != '\0' && std::strchr("hlLjzt", *at) != nullptr; ++at) conversion.length += *at;
  conversion.letter = *at;
  if (*at != '\0') ++at;
  return conversion;
}

/// Appends `value` formatted by the host's printf; `length` is the host's length modifier for it.
template <class T>
void append(std::string& out, const Conversion& conversion, const char* length, T value) {
  const std::string format = "%" + conversion.flags + "*.*" + length + conversion.letter;
  // A width of 0 is no width, a negative precision is no precision.
  const int width = conversion.width < 0 ? 0 : conversion.width;
  const int size = std::snprintf(nullptr, 0, format.c_str(), width, conversion.precision, value);
  if (size <= 0) return;
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(size) + 1);
  std::snprintf(out.data() + before, static_cast<std::size_t>(size) + 1, format.c_str(), width,
                conversion.precision, value);
  out.pop_back();
}

/// The host's length modifier for a 4-byte integer under the program's: h and hh still narrow it.
const char* narrow_length(const Conversion& conversion) {
  if (conversion.length == "h") return "h";
  return conversion.length == "hh" ? "hh" : "";
}

/// False if the letter is none we know.
bool convert(std::string& out, const Conversion& conversion, PackedArguments& arguments) {
  switch (conversion.letter) {
    case 'd':
    case 'i':
      if (conversion.is_wide()) {
        append(out, conversion, "ll", arguments.next<long long>());
      } else {
        append(out, conversion, narrow_length(conversion), arguments.next<int>());
      }
      return true;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (conversion.is_wide()) {
        append(out, conversion, "ll", arguments.next<unsigned long long>());
      } else {
        append(out, conversion, narrow_length(conversion), arguments.next<unsigned>());
      }
      return true;
    case 'c':
      append(out, conversion, "", arguments.next<int>());
      return true;
    case 's': {
      const auto* text = arguments.next<const char*>();
      append(out, conversion, "", text != nullptr ? text : "(null)");
      return true;
    }
    case 'p':
      append(out, conversion, "", arguments.next<const void*>());
      return true;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      append(out, conversion, "", arguments.next<double>());
      return true;
    default:
      return false;
  }
}

}  // namespace

int format_packed(std::string& out, const char* format, const void* packed) {
  PackedArguments arguments(packed);
  for (const char* at = format; *at != '\0';) {
    const std::size_t plain = std::strcspn(at, "%");
    out.append(at, plain);
    at += plain;
    if (*at == '\0') break;
    const char* start = at++;
    const Conversion conversion = read_conversion(at, arguments);
    if (conversion.letter == '%') {
      out += '%';
    } else if (!convert(out, conversion, arguments)) {
      out.append(start, static_cast<std::size_t>(at - start));
    }
  }
  return arguments.count();
}

}  // namespace gridspan::devices::cpu
