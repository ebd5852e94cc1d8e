// A child that nobody else sees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/compiler.h"

#include "support/memory_file.h"

#include "specialise/cache.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

namespace gridspan::specialise {
namespace {

using support::fail;
using support::MemoryFile;
using support::Result;

// Descriptors in gridcc's process.
constexpr int container_descriptor = 3;
constexpr int first_unused = 4;
/// Of a CPU that other threads want, too, a child that runs aside gets a tenth.
constexpr int niceness_aside = 10;

struct Child {
  char* const* words;
  int container, said;
  bool aside;
};

/// Runs in the child, in this process's memory: no locks, no allocation.
int become_gridcc(void* argument) {
  const Child& child = *static_cast<Child*>(argument);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGCHLD, SIG_DFL);  // it has children of its own
  signal(SIGPIPE, SIG_DFL);
  if (child.aside) {
    const sched_param usual{};
    sched_setscheduler(0, SCHED_OTHER, &usual);
    setpriority(PRIO_PROCESS, 0, niceness_aside);
  }
  // Out of the way first: the numbers wanted may be taken.
  const int container = fcntl(child.container, F_DUPFD, 16);
  const int said = fcntl(child.said, F_DUPFD, 16);
  const int nothing = ::open("/dev/null", O_RDONLY);
  // NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions): without it reading fails, too
  dup2(nothing, 0);
  dup2(said, 1);
  dup2(said, 2);
  dup2(container, container_descriptor);
  syscall(SYS_close_range, first_unused, ~0u, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(child.words[0], child.words, environ);
  _exit(127);
}

/// The process, or -1. Like vfork: returns when the child has become another program. Without a
/// signal for its end it is no child that wait() knows.
pid_t start(Child& child) {
  constexpr std::size_t stack_bytes = 64 << 10;
  const auto stack = std::make_unique<char[]>(stack_bytes);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto top =
      (reinterpret_cast<std::uintptr_t>(stack.get()) + stack_bytes) & ~std::uintptr_t{15};
  const pid_t process =
      clone(become_gridcc, reinterpret_cast<void*>(top), CLONE_VM | CLONE_VFORK, &child);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return process;
}

/// Its refusal, or the first line.
std::string reason_in(const std::string& said) {
  const std::size_t refusal = said.find(refusal_mark);
  const std::string text = refusal == std::string::npos ? said : said.substr(refusal);
  return text.substr(0, text.find('\n'));
}

}  // namespace

Result<void> Compiler::make(const Build& build, const std::string& product, bool aside) {
  const MemoryFile container("gridspan-container"), said("gridspan-gridcc");
  if (container.descriptor() < 0 || said.descriptor() < 0 ||
      !container.write(build.container.data(), build.container.size()))
    return fail("cannot make a file in memory");
  const std::string file = "/dev/fd/" + std::to_string(container_descriptor);
  std::vector<std::string> texts{gridcc_, "-o", product};
  if (build.fused_launches.empty()) {
    texts.push_back("--compile-specialised=" + file);
    texts.push_back("--kernel-name=" + build.kernel);
    texts.push_back("--launch-condition=" + to_text(build.condition));
  } else {
    texts.push_back("--compile-fused=" + file);
    texts.push_back("--fused-launches=" + build.fused_launches);
  }
  if (const char* cpu = abi::cpu_name(build.set)) texts.push_back(std::string("-march=") + cpu);
  if (const char* cpu = abi::cpu_name(build.wider))
    texts.push_back(std::string("--wider-cpu=") + cpu);
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  Child child{words.data(), container.descriptor(), said.descriptor(), aside};
  if (stopped_) return fail("the process ends");
  const pid_t process = start(child);
  if (process < 0) return fail("cannot start " + gridcc_ + ": " + std::strerror(errno));
  running_ = process;
  if (stopped_) kill(process, SIGTERM);  // stop() may have come too early to see it
  int status = 0;
  // The number stays the child's until it is waited for.
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT | __WALL) < 0 &&
         errno == EINTR) {
  }
  running_ = 0;
  while (waitpid(process, &status, __WALL) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string reason = reason_in(said.read());
  if (reason.starts_with(refusal_mark)) return fail(reason);
  return fail(gridcc_ + " failed: " + reason);
}

void Compiler::stop() {
  stopped_ = true;
  if (const pid_t process = running_.load(); process > 0) kill(process, SIGTERM);
}

}  // namespace gridspan::specialise
