// Translating columns and excerpts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/original_places.h"

#include "driver/files.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <algorithm>
#include <filesystem>
#include <optional>

namespace gridspan::driver {
namespace {

using llvm::StringRef;

StringRef line_of(StringRef text, unsigned number) {
  for (unsigned line = 1; line < number; ++line) text = text.split('\n').second;
  return text.split('\n').first;
}

/// A line that clang sees otherwise than it is on disk.
struct ChangedLine {
  unsigned number = 0;
  std::string seen, written;
};

class Translator {
 public:
  explicit Translator(const Overlay& overlay) : overlay_(overlay) {}

  std::string line(StringRef text) {
    if (auto translated = place(text)) return *translated;
    if (auto translated = excerpt(text)) return *translated;
    return text.str();
  }

 private:
  /// "FILE:LINE:COLUMN: error: …", coloured or not
  std::optional<std::string> place(StringRef text) {
    std::size_t mark = StringRef::npos;
    for (const char* severity : {"error: ", "warning: ", "note: ", "remark: "})
      mark = std::min(mark, text.find(severity));
    if (mark == StringRef::npos) return std::nullopt;
    changed_.reset();
    const std::size_t end = text.substr(0, mark).rfind(": ");
    if (end == StringRef::npos) return std::nullopt;
    StringRef head = text.substr(0, end);
    const std::size_t colour =
        head.rfind('m') != StringRef::npos && head.starts_with("\x1b") ? head.find('m') + 1 : 0;
    const auto [rest, column_text] = head.substr(colour).rsplit(':');
    const auto [file, line_text] = rest.rsplit(':');
    unsigned column = 0, number = 0;
    if (column_text.getAsInteger(10, column) || line_text.getAsInteger(10, number))
      return std::nullopt;
    look_up(file, number);
    if (!changed_) return std::nullopt;
    return text.substr(0, colour + rest.size() + 1).str() +
           std::to_string(original_column(changed_->seen, changed_->written, column)) +
           text.substr(end).str();
  }

  /// "   12 | text", and below it "      |  ^~~~"
  std::optional<std::string> excerpt(StringRef text) {
    if (!changed_) return std::nullopt;
    const auto [margin, rest] = text.split("| ");
    if (margin.size() == text.size() || text.contains('\x1b')) return std::nullopt;
    if (rest == changed_->seen) return (margin + "| " + changed_->written).str();
    if (!margin.trim().empty() || rest.find_first_not_of(" ^~") != StringRef::npos)
      return std::nullopt;
    std::string marks;
    for (unsigned i = 0; i < rest.size(); ++i) {
      if (rest[i] == ' ') continue;
      const unsigned at = original_column(changed_->seen, changed_->written, i + 1) - 1;
      if (marks.size() <= at) marks.resize(at + 1, ' ');
      if (marks[at] != '^') marks[at] = rest[i];
    }
    return (margin + "| " + marks).str();
  }

  void look_up(StringRef file, unsigned number) {
    const std::string path = std::filesystem::absolute(file.str()).lexically_normal().string();
    if (!overlay_.contains(path)) return;
    const auto seen = overlay_.text_of(path), written = read_file(path);
    if (!seen || !written) return;
    ChangedLine line{number, line_of(*seen, number).str(), line_of(*written, number).str()};
    if (line.seen != line.written) changed_ = std::move(line);
  }

  const Overlay& overlay_;
  std::optional<ChangedLine> changed_;  // of the last message
};

}  // namespace

unsigned original_column(std::string_view seen, std::string_view written, unsigned column) {
  const std::size_t shorter = std::min(seen.size(), written.size());
  const auto same = [&](std::size_t from_seen, std::size_t from_written) {
    std::size_t count = 0;
    while (count < shorter && seen[from_seen == 0 ? count : from_seen - 1 - count] ==
                                  written[from_written == 0 ? count : from_written - 1 - count])
      ++count;
    return count;
  };
  if (seen.size() == written.size()) return column;  // parts have changed places
  const std::size_t before = same(0, 0);
  const std::size_t after = std::min(same(seen.size(), written.size()), shorter - before);
  const std::size_t at = column == 0 ? 0 : column - 1;
  if (at <= before) return column;
  if (at + after >= seen.size())
    return static_cast<unsigned>(at + written.size() - seen.size()) + 1;
  return static_cast<unsigned>(before) + 1;
}

std::string in_original_places(std::string_view messages, const Overlay& overlay) {
  if (overlay.files.empty()) return std::string(messages);
  Translator translator(overlay);
  std::string result;
  for (StringRef rest(messages); !rest.empty();) {
    const bool is_whole = rest.contains('\n');
    const auto [line, tail] = rest.split('\n');
    result += translator.line(line);
    if (is_whole) result += '\n';
    rest = tail;
  }
  return result;
}

}  // namespace gridspan::driver
