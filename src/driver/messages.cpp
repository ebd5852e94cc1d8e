// Merging of clang's messages, and printing of ours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/messages.h"

#include "driver/missing_headers.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/WithColor.h>
#include <llvm/Support/raw_ostream.h>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace gridspan::driver {
namespace {

using Severity = ClangMessage::Severity;

/// "2 warnings and 1 error generated when compiling for host."
bool is_count(llvm::StringRef line) {
  return !line.empty() && line[0] >= '0' && line[0] <= '9' && line.contains(" generated") &&
         line.ends_with(".");
}

/// A line that opens a message says how bad it is; a note has severity none; others nothing.
std::optional<Severity> opening_severity(llvm::StringRef line) {
  static constexpr std::array<std::pair<llvm::StringLiteral, Severity>, 5> marks = {
      {{"fatal error: ", Severity::error},
       {"error: ", Severity::error},
       {"warning: ", Severity::warning},
       {"remark: ", Severity::remark},
       {"note: ", Severity::none}}};
  if (line.starts_with(" ")) return std::nullopt;  // a snippet
  for (auto [mark, severity] : marks) {
    std::size_t at = line.find(mark);
    if (at == 0 || (at != llvm::StringRef::npos && line.substr(0, at).ends_with(": ")))
      return severity;
  }
  return std::nullopt;
}

std::string plural(unsigned count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\033') {
      plain += text[i];
      continue;
    }
    while (i < text.size() && text[i] != 'm') ++i;
  }
  return plain;
}

std::string MessageCounts::closing_line() const {
  if (!warnings && !errors) return "";
  std::string text = warnings ? plural(warnings, "warning") : "";
  if (warnings && errors) text += " and ";
  if (errors) text += plural(errors, "error");
  return text + " generated.\n";
}

void print_error(std::string_view text) {
  llvm::WithColor::error(llvm::errs(), "gridcc") << llvm::StringRef(text) << '\n';
}

void print_warning(std::string_view text) {
  llvm::WithColor::warning(llvm::errs(), "gridcc") << llvm::StringRef(text) << '\n';
}

std::vector<ClangMessage> split_messages(std::string_view output) {
  std::vector<ClangMessage> messages;
  std::string include_stack;  // lines that belong to whatever message or note follows
  llvm::StringRef rest(output);
  while (!rest.empty()) {
    auto [line, tail] = rest.split('\n');
    rest = tail;
    std::string plain = plain_text(line);
    std::string text = line.str() + "\n";
    if (is_count(plain)) continue;
    if (llvm::StringRef(plain).starts_with("In file included from ") ||
        llvm::StringRef(plain).starts_with("                 from ")) {
      include_stack += text;
      continue;
    }
    auto severity = opening_severity(plain);
    bool opens = severity && *severity != Severity::none;
    if (opens || messages.empty())
      messages.push_back({severity.value_or(Severity::none), plain, ""});
    messages.back().text += std::exchange(include_stack, "") + text;
  }
  return messages;
}

std::string merge_messages(std::string_view host_output, std::string_view device_output) {
  std::string text;
  std::set<std::string> seen;
  MessageCounts counts;
  auto add = [&](const ClangMessage& message) {
    text += message.text;
    if (message.severity == Severity::error) text += missing_header_note(message.key);
    counts.add(message.severity);
  };
  for (const ClangMessage& message : split_messages(host_output)) {
    seen.insert(message.key);
    add(message);
  }
  for (const ClangMessage& message : split_messages(device_output))
    if (!seen.contains(message.key)) add(message);
  return text + counts.closing_line();
}

void print_diagnostic(const codegen::Diagnostic& diagnostic) {
  llvm::raw_ostream& out = llvm::errs();
  bool has_place = !diagnostic.file.empty();
  llvm::WithColor(out, llvm::raw_ostream::SAVEDCOLOR, true)
      << (has_place ? diagnostic.file : "gridcc");
  if (diagnostic.line) out << ':' << diagnostic.line;
  if (diagnostic.line && diagnostic.column) out << ':' << diagnostic.column;
  out << ": ";
  using Kind = codegen::Diagnostic::Kind;
  switch (diagnostic.kind) {
    case Kind::error:
      llvm::WithColor::error(out);
      break;
    case Kind::warning:
      llvm::WithColor::warning(out);
      break;
    case Kind::remark:
      llvm::WithColor::remark(out);
      break;
  }
  out << diagnostic.text << '\n';
}

}  // namespace gridspan::driver
