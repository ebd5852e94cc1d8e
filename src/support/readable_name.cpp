// Demangling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/readable_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gridspan::support {

std::string readable_name(std::string_view mangled) {
  const std::string name(without_unit_suffix(mangled));
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
    if (is_hash && !digits.empty()) return mangled.substr(0, at);
  }
  return mangled;
}

}  // namespace gridspan::support
