// What gridcc prints: its own errors, and the messages of clang's two passes as if they were one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"

#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// "gridcc: error: TEXT"
void print_error(std::string_view text);

/// "gridcc: warning: TEXT"
void print_warning(std::string_view text);

/// One message of clang with its include stack, snippet and notes.
struct ClangMessage {
  enum class Severity { none, remark, warning, error } severity = Severity::none;
  std::string key;   // file:line:column: severity: text, without colours; equal for equal messages
  std::string text;  // as clang wrote it, all lines
};

/// Takes clang's output apart; the closing "2 errors generated…" is dropped.
std::vector<ClangMessage> split_messages(std::string_view output);

/// `text` without the codes that colour it.
std::string plain_text(std::string_view text);

/// How many warnings and errors have been told, and clang's closing line about it.
struct MessageCounts {
  unsigned warnings = 0, errors = 0;
  void add(ClangMessage::Severity severity) {
    warnings += severity == ClangMessage::Severity::warning;
    errors += severity == ClangMessage::Severity::error;
  }
  std::string closing_line() const;  // empty if there were none
};

/// All messages of the host pass, then those of the device pass that it did not give, then one
/// closing count as clang writes it.
std::string merge_messages(std::string_view host_output, std::string_view device_output);

/// A message of the device compiler in clang's form.
void print_diagnostic(const codegen::Diagnostic& diagnostic);

}  // namespace gridspan::driver
