// The command line, understood.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/invocation.h"

#include "driver/argument_reader.h"

#include <algorithm>
#include <set>

namespace gridspan::driver {

GpuArchitecture Invocation::architecture() const {
  if (architectures.empty()) return default_architecture;
  return *std::max_element(architectures.begin(), architectures.end());
}

std::vector<unsigned> Invocation::levels() const {
  std::set<unsigned> found;
  for (const GpuArchitecture one : architectures) found.insert(one.number);
  if (found.empty()) found.insert(default_architecture.number);
  return {found.begin(), found.end()};
}

void Invocation::link_with(const std::string& library) {
  if (std::ranges::find(libraries, library) == libraries.end()) libraries.push_back(library);
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool separates = !quote && (c == ',' || c == ' ' || c == '\t');
    if (separates) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == '\\' && i + 1 < text.size())
      word += text[++i];
    else if (c == quote)
      quote = 0;
    else if (!quote && (c == '"' || c == '\''))
      quote = c;
    else
      word += c;
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

Result<Task> understand(std::span<const Argument> arguments) {
  Reader reader;
  for (const Argument& argument : arguments)
    if (auto status = reader.read(argument); !status) return support::fail(status.error());
  if (auto status = reader.read_host_compiler_words(); !status)
    return support::fail(status.error());
  return reader.finish();
}

}  // namespace gridspan::driver
