// Forks, and looks now and then who has ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/side_by_side.h"

#include "driver/cleanup.h"
#include "driver/messages.h"

#include <llvm/Support/Threading.h>
#include <llvm/Support/raw_ostream.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <string>
#include <thread>

namespace gridspan::driver {

namespace {

/// Each takes some hundred megabytes.
constexpr unsigned most_processes = 8;

/// That run or could run in the whole system, this one included; 0: unknown.
unsigned running_threads() {
  unsigned running = 0;
  if (std::FILE* file = std::fopen("/proc/loadavg", "re")) {
    if (std::fscanf(file, "%*s %*s %*s %u/", &running) != 1) running = 0;
    std::fclose(file);
  }
  return running;
}

class Piece {
 public:
  /// Starts the work; if that can't be, does it here.
  Piece(std::size_t number, const std::function<bool(std::size_t)>& work) {
    llvm::outs().flush();
    llvm::errs().flush();
    said_ = memfd_create("gridcc", MFD_CLOEXEC);
    if (said_ >= 0) {
      SignalsHeld until_registered;
      pid_ = fork();
      if (pid_ > 0) register_child(pid_);
    }
    if (pid_ > 0) return;
    if (pid_ == 0) become(number, work);
    has_ended_ = true;
    is_good_ = work(number);
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  ~Piece() {
    if (!has_ended_) {
      kill(pid_, SIGTERM);
      wait(0);
    }
    if (said_ >= 0) close(said_);
  }

  bool has_ended() {
    if (!has_ended_) wait(WNOHANG);
    return has_ended_;
  }
  bool is_good() const { return is_good_; }

  /// What it said comes to standard error.
  void tell() const {
    std::array<char, 4096> bytes;
    off_t at = 0;
    for (ssize_t count; said_ >= 0 && (count = pread(said_, bytes.data(), bytes.size(), at)) > 0;
         at += count)
      llvm::errs() << llvm::StringRef(bytes.data(), static_cast<std::size_t>(count));
    if (!trouble_.empty()) print_error(trouble_);
  }

 private:
  [[noreturn]] void become(std::size_t number, const std::function<bool(std::size_t)>& work) {
    leave_cleanup_to_parent();
    dup2(said_, STDERR_FILENO);
    const bool is_good = work(number);
    llvm::outs().flush();
    llvm::errs().flush();
    _exit(is_good ? 0 : 1);
  }

  void wait(int how) {
    int status = 0;
    pid_t ended = 0;
    do ended = waitpid(pid_, &status, how);
    while (ended < 0 && errno == EINTR);
    if (ended == 0) return;
    forget_child(pid_);
    has_ended_ = true;
    is_good_ = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended > 0 && WIFSIGNALED(status))
      trouble_ = std::string("the device compiler ended: ") + strsignal(WTERMSIG(status)) +
                 "; please report it with the output of the same command and -keep -v";
  }

  int said_ = -1;
  pid_t pid_ = -1;
  bool has_ended_ = false, is_good_ = false;
  std::string trouble_;
};

}  // namespace

unsigned usable_processors() { return llvm::hardware_concurrency().compute_thread_count(); }

bool do_side_by_side(std::size_t count, AtATime at_a_time,
                     const std::function<bool(std::size_t)>& work) {
  const unsigned processors = usable_processors();
  const unsigned most = at_a_time.most != 0 ? std::min(at_a_time.most, most_children)
                                            : std::min(processors, most_processes);
  if (most == 1 || count == 1) {
    for (std::size_t i = 0; i < count; ++i)
      if (!work(i)) return false;
    return true;
  }
  const auto may_begin = [&](std::size_t begun) {
    return begun == 0 || (begun < most && (!at_a_time.if_idle || running_threads() <= processors));
  };
  std::deque<Piece> pieces;  // begun, and not told of
  std::size_t begun = 0;
  while (begun < count || !pieces.empty()) {
    const auto at_work = static_cast<std::size_t>(
        std::ranges::count_if(pieces, [](Piece& one) { return !one.has_ended(); }));
    if (begun < count && may_begin(at_work)) {
      pieces.emplace_back(begun++, work);
    } else if (!pieces.empty() && pieces.front().has_ended()) {
      pieces.front().tell();
      if (!pieces.front().is_good()) return false;
      pieces.pop_front();
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return true;
}

}  // namespace gridspan::driver
