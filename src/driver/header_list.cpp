// Reading of clang's list of headers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/header_list.h"

#include "driver/files.h"
#include "driver/process.h"

namespace gridspan::driver {

std::vector<std::string> prerequisites(std::string_view rule) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < rule.size(); ++i) {
    char c = rule[i];
    char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    bool escaped =
        (c == '\\' && (next == ' ' || next == '#' || next == '\\')) || (c == '$' && next == '$');
    if (escaped) {
      words.back() += rule[++i];
    } else if (c == '\\' && next == '\n') {
      ++i;
    } else if (c == ' ' || c == '\n') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  while (!words.empty() && !words.front().ends_with(':')) words.erase(words.begin());
  if (!words.empty()) words.erase(words.begin());
  return words;
}

bool add_spaced_headers(CudaUnit& unit) {
  std::string list = unit.reference_path + ".headers";
  std::string silence = unit.reference_path + ".headers.txt";
  bool added = false;
  for (const Command& command : unit.list_headers) {
    Process preprocessor(command, list, silence);
    if (!preprocessor.wait().ok()) continue;
    auto rule = read_file(list);
    for (const std::string& header : prerequisites(rule.value_or("")))
      added |= unit.overlay.add_if_needed(header);
  }
  return added;
}

}  // namespace gridspan::driver
