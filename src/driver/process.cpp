// Starting other programs, with LLVM's portable calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/process.h"

#include "driver/cleanup.h"
#include "driver/messages.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>
#include <array>
#include <optional>

namespace gridspan::driver {

std::string to_line(const Command& command) {
  std::string line;
  llvm::raw_string_ostream out(line);
  llvm::sys::printArg(out, command.program, true);
  for (const std::string& argument : command.arguments) {
    out << ' ';
    llvm::sys::printArg(out, argument, true);
  }
  return line;
}

Process::Process(const Command& command, const std::string& output_file,
                 const std::string& error_file) {
  auto found = llvm::sys::findProgramByName(command.program);
  program_ = found ? *found : command.program;
  llvm::SmallVector<llvm::StringRef, 64> words{program_};
  words.append(command.arguments.begin(), command.arguments.end());
  std::array<std::optional<llvm::StringRef>, 3> redirects;
  if (!output_file.empty()) redirects[1] = output_file;
  if (!error_file.empty()) redirects[2] = error_file;
  bool failed = false;
  SignalsHeld until_registered;
  auto started =
      llvm::sys::ExecuteNoWait(program_, words, std::nullopt, redirects, 0, &trouble_, &failed);
  if (failed) {
    if (trouble_.empty()) trouble_ = "cannot be started";
    return;
  }
  pid_ = started.Pid;
  register_child(pid_);
}

Outcome Process::wait() {
  if (pid_ == 0) return {127, trouble_};
  llvm::sys::ProcessInfo process;
  process.Pid = pid_;
  std::string message;
  auto ended = llvm::sys::Wait(process, std::nullopt, &message);
  forget_child(pid_);
  pid_ = 0;
  if (ended.ReturnCode == -2) return {128, message.empty() ? "crashed" : message};
  if (ended.ReturnCode == -1) return {127, message};
  return {ended.ReturnCode, ""};
}

bool succeeded(const Command& command, const Outcome& outcome) {
  if (outcome.ok()) return true;
  if (!outcome.trouble.empty())
    print_error("'" + command.program + "' failed: " + outcome.trouble +
                "\nthe command was: " + to_line(command));
  return false;
}

Outcome explained(Outcome outcome, const std::string& said) {
  if (!outcome.ok() && outcome.trouble.empty() && said.empty())
    outcome.trouble = "exit status " + std::to_string(outcome.code) + " without a message";
  return outcome;
}

}  // namespace gridspan::driver
