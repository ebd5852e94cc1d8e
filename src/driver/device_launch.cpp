// Finding launches among C++'s tokens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_launch.h"

#include "driver/files.h"
#include "driver/launch_tokens.h"
#include "driver/messages.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <algorithm>
#include <filesystem>

namespace gridspan::driver {
namespace {

/// "FILE:LINE:COLUMN" of a message's first line or of a note about a macro.
void add_place(llvm::StringRef place, std::map<std::string, std::set<unsigned>>& lines) {
  auto [rest, column] = place.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  unsigned number = 0;
  if (!file.empty() && !line.getAsInteger(10, number)) lines[file.str()].insert(number);
}

std::string_view configuration_of(std::string_view source, const Launch& launch) {
  return source.substr(launch.open + 3, launch.close - launch.open - 3);
}

std::string respelled(std::string_view source, const Launch& launch) {
  std::string text = "(::gridspan_launch(";
  text.append(configuration_of(source, launch)).append(")->*GRIDSPAN_LAUNCH(");
  return text.append(source.substr(launch.callee, launch.open - launch.callee)).append("))");
}

}  // namespace

std::map<std::string, std::set<unsigned>> refused_launches(std::string_view messages) {
  std::map<std::string, std::set<unsigned>> lines;
  for (const ClangMessage& message : split_messages(messages)) {
    if (message.severity != ClangMessage::Severity::error) continue;
    const std::string text = plain_text(message.text);
    if (!llvm::StringRef(text).contains("__global__ function")) continue;
    for (llvm::StringRef line : llvm::split(llvm::StringRef(text), '\n'))
      for (llvm::StringRef mark : {": error: ", ": note: expanded from macro"})
        if (const std::size_t at = line.find(mark); at != llvm::StringRef::npos)
          add_place(line.substr(0, at), lines);
  }
  return lines;
}

std::optional<std::string> respell_device_launches(std::string_view source,
                                                   const std::set<unsigned>& lines) {
  std::string text;
  std::size_t done = 0;
  for (const Launch& launch : find_launches(source)) {
    const bool wanted = std::ranges::any_of(lines, [&](unsigned line) {
      return launch.first_line <= line && line <= launch.last_line;
    });
    if (!wanted || launch.callee < done) continue;
    text.append(source.substr(done, launch.callee - done));
    text += respelled(source, launch);
    done = launch.close + 3;
    for (const std::size_t null : launch.nulls) {  // forwarded, NULL would be a number
      text.append(source.substr(done, null - done)).append("nullptr");
      done = null + std::string_view("NULL").size();
    }
  }
  if (done == 0) return std::nullopt;
  return text.append(source.substr(done));
}

/// The name that messages have for a source which begins with a line marker, as one of standard
/// input or of nvrtc does, and the number of lines before its first.
static std::pair<std::string, unsigned> presumed_name(llvm::StringRef source) {
  constexpr unsigned most_lines = 2;
  for (unsigned line = 1; line <= most_lines; ++line) {
    auto [first, rest] = source.split('\n');
    source = rest;
    if (!first.consume_front("# 1 \"")) continue;
    std::string name;
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {
      if (first[i] == '\\') ++i;
      name += first[i];
    }
    return {name, line};
  }
  return {};
}

/// The new spelling needs C++14's lambdas.
static void raise_standard(Command& pass) {
  for (std::string& word : pass.arguments) {
    if (word == "-std=c++11" || word == "-std=c++0x") word = "-std=c++14";
    if (word == "-std=gnu++11" || word == "-std=gnu++0x") word = "-std=gnu++14";
  }
}

bool add_device_launches(CudaUnit& unit, std::string_view messages) {
  bool changed = false;
  const auto [presumed, before] = presumed_name(read_file(unit.source).value_or(""));
  for (const auto& [name, reported] : refused_launches(messages)) {
    const bool is_marked = !presumed.empty() && name == presumed;
    std::set<unsigned> lines;
    for (const unsigned line : reported) lines.insert(line + (is_marked ? before : 0));
    const std::string path =
        std::filesystem::absolute(is_marked ? unit.source : name).lexically_normal().string();
    auto known = std::ranges::find(unit.overlay.files, path, &Overlay::File::path);
    const bool is_known = known != unit.overlay.files.end();
    auto source = is_known ? support::Result<std::string>(known->text) : read_file(path);
    if (!source) continue;
    auto text = respell_device_launches(*source, lines);
    if (!text) continue;
    changed = true;
    if (is_known)
      known->text = std::move(*text);
    else
      unit.overlay.files.push_back({path, std::move(*text)});
  }
  if (!changed) return false;
  raise_standard(unit.device_pass);
  if (unit.host_pass) raise_standard(*unit.host_pass);
  return true;
}

}  // namespace gridspan::driver
