// Spawning and waiting.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/run_child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace gridspan::support {

Result<bool> run_child(const std::vector<std::string>& command, const std::string& said) {
  std::vector<std::string> texts = command;
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t process = 0;
  const int error = posix_spawn(&process, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail("cannot start " + command[0] + ": " + std::strerror(error));
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    // A program that ignores SIGCHLD never learns the status: then the product tells.
    if (errno != EINTR) return true;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace gridspan::support
