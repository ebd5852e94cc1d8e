// Remarks with the source line and a caret, as clang prints them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/source_lines.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace gridspan::tools {
namespace {

std::vector<std::string> read_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string caret_blanks(const std::string& line, unsigned column) {
  std::string blanks;
  for (unsigned i = 0; i + 1 < column && i < line.size(); ++i)
    if ((line[i] & 0xc0) != 0x80) blanks += line[i] == '\t' ? '\t' : ' ';
  return blanks;
}

bool output_has_colours() {
  const char* refused = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && !(refused && *refused);
}

std::string place_text(const model::SourcePoint& where) {
  std::string text = where.file;
  if (where.line) text += ":" + std::to_string(where.line);
  if (where.line && where.column) text += ":" + std::to_string(where.column);
  return text;
}

std::optional<std::string> SourceLines::line(const model::SourcePoint& where) {
  if (!where.line || where.file.empty()) return std::nullopt;
  auto [found, is_new] = files_.try_emplace(where.file);
  if (is_new) found->second = read_lines(where.file);
  if (where.line > found->second.size()) return std::nullopt;
  return found->second[where.line - 1];
}

std::string SourceLines::show(const SourceRemark& remark, const Paint& paint) {
  bool is_warning = remark.severity == SourceRemark::Severity::warning;
  std::string place = place_text(remark.where);
  std::string text = (place.empty() ? "" : paint.bold(place + ":") + " ") +
                     paint.notice(is_warning ? "warning:" : "remark:") + " " +
                     paint.bold(remark.text) + "\n";
  if (auto source = line(remark.where)) {
    std::string number = std::to_string(remark.where.line);
    std::string margin(number.size() + 2, ' ');
    text += " " + number + " | " + *source + "\n";
    if (remark.where.column)
      text += margin + "| " + caret_blanks(*source, remark.where.column) + paint.good("^") + "\n";
  }
  if (!remark.hint.empty()) text += "  " + paint.name("hint:") + " " + remark.hint + "\n";
  return text;
}

}  // namespace gridspan::tools
