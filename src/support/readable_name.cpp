// Demangling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/readable_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gridspan::support {
namespace {

constexpr std::size_t fewest_digits = 8;  // of 16; zeros in front are not written

/// "_ZL1v" of "_ZL1v.3", as the device link numbers what is private to a file.
std::string_view without_number(std::string_view mangled) {
  const std::size_t dot = mangled.find_last_not_of("0123456789");
  const bool is_number = dot != std::string_view::npos && dot > 0 && mangled[dot] == '.';
  return is_number && dot + 1 < mangled.size() ? mangled.substr(0, dot) : mangled;
}

}  // namespace

std::string readable_name(std::string_view mangled) {
  if (const std::size_t plus = mangled.find('+'); plus != std::string_view::npos)
    return readable_name(mangled.substr(0, plus)) + " + " + readable_name(mangled.substr(plus + 1));
  const std::string name(without_number(without_unit_suffix(mangled)));
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      ::abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

std::string_view without_unit_suffix(std::string_view mangled) {
  for (const std::string_view mark : {"__static__", "__intern__"}) {
    const std::size_t at = mangled.rfind(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view digits = mangled.substr(at + mark.size());
    const bool is_hash = digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (is_hash && digits.size() >= fewest_digits) return mangled.substr(0, at);
  }
  return mangled;
}

}  // namespace gridspan::support
