// The groups of clang's warnings that nvcc judges otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/leniency.h"

#include "driver/messages.h"

#include <llvm/ADT/StringRef.h>

namespace gridspan::driver {
namespace {

/// Out of clang 19's warnings that are errors by default, those that nvcc 13 with g++ 12 takes, at
/// least in device code. The others are errors there, too, or would do something else (an object
/// with a constructor passed to `...` is a trap for clang).
constexpr llvm::StringLiteral taken[] = {
    "c++11-narrowing",                  // dim3{n / 256}
    "c++11-narrowing-const-reference",  //
    "elaborated-enum-class",            // enum class E x;
    "enum-constexpr-conversion",        // constexpr E x = E(77);
    "gnu-array-member-paren-init",      // S() : array({1, 2}) {}
    "increment-bool",                   // b++
    "invalid-constexpr",                // constexpr float f(float x) { return sqrtf(x); }
    "missing-template-arg-list-after-template-kw",  // x.template f(3)
    "return-mismatch",                              // int f() { return; }
};

/// Narrowing where a constant is needed: template arguments, enumerators, cases, array bounds.
bool narrows_a_constant_expression(llvm::StringRef warning) {
  return warning.contains("[-Wc++11-narrowing") &&
         !warning.contains(" constant expression evaluates to ") &&
         !warning.contains(" in initializer list ");
}

bool is_refused(const ClangMessage& message) {
  llvm::StringRef text = message.key;
  return message.severity == ClangMessage::Severity::warning &&
         (narrows_a_constant_expression(text) ||
          (text.contains("should not return a value") && text.contains("[-Wreturn-mismatch")));
}

/// With or without colours: magenta is clang's for warnings, red for errors.
void make_error(std::string& text) {
  const std::size_t at = text.find("warning: ");
  if (at == std::string::npos) return;
  text.replace(at, llvm::StringRef("warning: ").size(), "error: ");
  constexpr llvm::StringLiteral magenta = "\033[0;1;35m";
  if (llvm::StringRef(text).substr(0, at).ends_with(magenta)) text[at - 2] = '1';
}

}  // namespace

std::vector<std::string> lenient_flags() {
  std::vector<std::string> flags;
  for (llvm::StringRef group : taken) flags.push_back("-Wno-error=" + group.str());
  // Nobody warns of `register` in C++17, "%d"NAME.
  flags.insert(flags.end(), {"-Wno-register", "-Wno-reserved-user-defined-literal"});
  return flags;
}

std::string with_refusals(std::string_view clang_output, bool& refused) {
  if (!llvm::StringRef(clang_output).contains("warning: ")) return std::string(clang_output);
  std::string text;
  for (ClangMessage& message : split_messages(clang_output)) {
    if (is_refused(message)) {
      refused = true;
      make_error(message.text);
    }
    text += message.text;
  }
  return text;
}

}  // namespace gridspan::driver
