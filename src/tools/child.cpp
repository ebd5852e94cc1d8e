// Spawning and waiting.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/child.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

extern char** environ;

namespace gridspan::tools {
namespace {

std::vector<std::string> environment_with(const Variables& variables) {
  std::vector<std::string> entries;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : variables) {
      replaced |= text.starts_with(name) && text.substr(name.size()).starts_with('=');
    }
    if (!replaced) entries.emplace_back(text);
  }
  for (const auto& [name, value] : variables) {
    if (!value.empty()) entries.push_back(name + "=" + value);
  }
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Ctrl-C is for the program: while this is there, this process lives on to see its end.
class KeyboardIgnored {
 public:
  KeyboardIgnored()
      : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)) {}
  KeyboardIgnored(const KeyboardIgnored&) = delete;
  KeyboardIgnored& operator=(const KeyboardIgnored&) = delete;
  ~KeyboardIgnored() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }

 private:
  void (*interrupt_)(int);
  void (*quit_)(int);
};

/// The program takes signals as this process found them.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

}  // namespace

support::Result<Ended> run_child(std::vector<std::string> command, const Variables& variables) {
  std::vector<std::string> entries = environment_with(variables);
  std::vector<char*> environment = pointers(entries), arguments = pointers(command);
  const Attributes attributes;
  const KeyboardIgnored ignored;
  pid_t child = 0;
  const int problem = posix_spawnp(&child, arguments[0], nullptr, attributes.get(),
                                   arguments.data(), environment.data());
  if (problem) return support::fail(command[0] + ": " + std::strerror(problem));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return support::fail(command[0] + ": " + std::strerror(errno));
  }
  if (WIFSIGNALED(status)) return Ended{0, WTERMSIG(status)};
  return Ended{WEXITSTATUS(status), 0};
}

}  // namespace gridspan::tools
