// Recovery from LLVM's fatal errors, one thread at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/guarded.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

/// Where the guarded thread wants its last words; null in threads without a guard.
thread_local std::string* last_words = nullptr;

void hear_fatal_error(void*, const char* words, bool) {
  if (last_words) {
    *last_words = words;
    CrashRecoveryContext::GetCurrent()->HandleExit(1);  // does not return
  }
  errs() << "LLVM ERROR: " << words << "\n";  // and LLVM ends the process, as without a handler
}

}  // namespace

void prepare_guards() {
  [[maybe_unused]] static const bool done = [] {
    CrashRecoveryContext::Enable();
    install_fatal_error_handler(hear_fatal_error);
    return true;
  }();
}

std::optional<std::string> run_guarded(function_ref<void()> action) {
  std::string words;
  last_words = &words;
  CrashRecoveryContext guard;
  const bool good = guard.RunSafely(action);
  last_words = nullptr;
  if (good) return std::nullopt;
  return words.empty() ? "LLVM's code generator crashed" : words;
}

}  // namespace gridspan::codegen::ptx
