// Writing a rule as clang does, line ends included.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/dependency_rule.h"

#include "driver/header_list.h"

#include <llvm/ADT/StringRef.h>
#include <algorithm>
#include <set>

namespace gridspan::driver {
namespace {

using llvm::StringRef;

/// clang's and gcc's way.
std::string escaped(const std::string& path) {
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '#') text += '\\';
    if (path[i] == '$') text += '$';
    if (path[i] == ' ') {
      text += '\\';
      for (std::size_t before = i; before > 0 && path[before - 1] == '\\'; --before) text += '\\';
    }
    text += path[i];
  }
  return text;
}

constexpr std::size_t widest_line = 75;

std::string written(StringRef targets, const std::vector<std::string>& files, bool has_phony) {
  std::string text = targets.str();
  std::size_t column = targets.size() - (targets.rfind('\n') + 1);
  for (const std::string& file : files) {
    if (column + file.size() + 3 > widest_line) {
      text += " \\\n ";
      column = 2;
    }
    text += ' ' + escaped(file);
    column += file.size() + 1;
  }
  text += '\n';
  for (std::size_t i = 1; has_phony && i < files.size(); ++i) text += escaped(files[i]) + ":\n";
  return text;
}

struct Rule {
  StringRef targets;  // as it is written, with the colon
  std::vector<std::string> files;
  bool has_phony = false;  // -MP
};

std::optional<Rule> parse_rule(StringRef text) {
  const std::size_t colon = text.find(": ");
  if (colon == StringRef::npos) return std::nullopt;
  std::size_t end = text.find('\n', colon);
  while (end != StringRef::npos && text[end - 1] == '\\') end = text.find('\n', end + 1);
  if (end == StringRef::npos) return std::nullopt;
  return Rule{text.take_front(colon + 1), prerequisites(text.take_front(end + 1)),
              end + 1 < text.size()};
}

}  // namespace

std::optional<std::string> without_precompiled_header(std::string_view rule,
                                                      const std::string& header_source,
                                                      const std::vector<std::string>& headers) {
  const auto parsed = parse_rule(rule);
  if (!parsed) return std::nullopt;
  const std::set<std::string> known(headers.begin(), headers.end());
  std::vector<std::string> others;
  bool lists_headers = false, lists_source = false;
  for (const std::string& file : parsed->files) {
    if (file == header_source)
      lists_source = true;
    else if (known.contains(file))
      lists_headers = true;
    else
      others.push_back(file);
  }
  if (others.empty() || !lists_source) return std::nullopt;
  if (lists_headers) others.insert(others.begin() + 1, headers.begin(), headers.end());
  return written(parsed->targets, others, parsed->has_phony);
}

std::optional<std::string> with_prerequisites_of(std::string_view rule,
                                                 const std::vector<std::string>& others) {
  auto parsed = parse_rule(rule);
  if (!parsed) return std::nullopt;
  std::set<std::string> known(parsed->files.begin(), parsed->files.end());
  const std::size_t before = known.size();
  for (const std::string& other : others) {
    auto more = parse_rule(other);
    if (!more) return std::nullopt;
    for (std::string& file : more->files)
      if (known.insert(file).second) parsed->files.push_back(std::move(file));
  }
  if (known.size() == before) return std::string(rule);
  return written(parsed->targets, parsed->files, parsed->has_phony);
}

}  // namespace gridspan::driver
