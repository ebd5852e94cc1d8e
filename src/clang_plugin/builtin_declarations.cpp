// Renaming what a declaration declares once more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/builtin_declarations.h"

#include "clang_plugin/scan.h"

#include <algorithm>
#include <array>
#include <string>

namespace gridspan::clang_plugin {

std::optional<Edit> without_builtin_declaration(const Complaint& complaint) {
  static constexpr std::array<std::string_view, 4> names = {"threadIdx", "blockIdx", "blockDim",
                                                            "gridDim"};
  const SourceText& written = complaint.written;
  std::size_t end = written.at;
  while (end < written.text.size() && is_word(written.text[end])) ++end;
  const std::string_view name = written.text.substr(written.at, end - written.at);
  if (std::ranges::find(names, name) == names.end()) return std::nullopt;
  return written.replace(written.at, end, "gridspan_declared_" + std::string(name));
}

}  // namespace gridspan::clang_plugin
