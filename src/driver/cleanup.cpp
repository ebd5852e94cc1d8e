// Removal of temporary files and unfinished results, also on signals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/cleanup.h"

#include <dirent.h>
#include <fcntl.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Signals.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace gridspan::driver {
namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

std::array<std::atomic<int>, most_children> children{};

/// Paths a signal handler can read without locks or allocation: written once before being
/// published.
struct Slot {
  std::atomic<bool> used{false};
  char path[4096];
};
Slot output_slot;
Slot workspace_slot;

void publish(Slot& slot, const std::string& path) {
  if (path.size() >= sizeof slot.path) return;
  slot.used = false;
  std::memcpy(slot.path, path.c_str(), path.size() + 1);
  slot.used = true;
}

bool is_ordinary_file(const char* path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/// Removes a directory of files and of directories of files, without readdir, which allocates: a
/// signal may have come in the midst of malloc. The workspace is our own, so two levels are all
/// there is; a failure leaves a file in /tmp and no more.
void remove_directory(int parent, const char* name, int levels) {
  const int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return;
  alignas(dirent64) char entries[4096];
  for (ssize_t bytes; (bytes = getdents64(directory, entries, sizeof entries)) > 0;) {
    for (ssize_t at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const char* inside = entry->d_name;
      if (!std::strcmp(inside, ".") || !std::strcmp(inside, "..")) continue;
      if (unlinkat(directory, inside, 0) != 0 && levels > 1)
        remove_directory(directory, inside, levels - 1);
    }
  }
  close(directory);
  unlinkat(parent, name, AT_REMOVEDIR);
}

void remove_everything() {
  if (output_slot.used && is_ordinary_file(output_slot.path)) unlink(output_slot.path);
  if (workspace_slot.used) remove_directory(AT_FDCWD, workspace_slot.path, 2);
}

void end_children(int signal) {
  for (auto& child : children)
    if (int pid = child.load(); pid > 0) kill(pid, signal);
  for (auto& child : children)
    if (int pid = child.load(); pid > 0)
      while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
      }
}

/// How many SignalsHeld there are, and the signal that came meanwhile.
std::atomic<int> holds{0};
std::atomic<int> held_signal{0};

extern "C" void on_ending_signal(int signal) {
  if (holds.load() > 0) {
    held_signal = signal;
    return;
  }
  end_children(signal);
  remove_everything();
  std::signal(signal, SIG_DFL);
  raise(signal);  // delivered when this handler returns
}

void on_crash(void*) { remove_everything(); }

}  // namespace

void install_cleanup(const char* program) {
  // LLVM's handlers take signals that are ignored, too; who started us with nohup meant it.
  std::array<struct sigaction, std::size(ending_signals)> previous{};
  for (std::size_t i = 0; i < previous.size(); ++i)
    sigaction(ending_signals[i], nullptr, &previous[i]);
  llvm::sys::PrintStackTraceOnErrorSignal(program);
  for (std::size_t i = 0; i < previous.size(); ++i) {
    const int signal = ending_signals[i];
    if (previous[i].sa_handler == SIG_IGN) {
      std::signal(signal, SIG_IGN);
      continue;
    }
    struct sigaction action{};
    action.sa_handler = on_ending_signal;
    sigemptyset(&action.sa_mask);
    for (int other : ending_signals) sigaddset(&action.sa_mask, other);
    sigaction(signal, &action, nullptr);
  }
  llvm::sys::AddSignalHandler(on_crash, nullptr);
}

SignalsHeld::SignalsHeld() { ++holds; }

SignalsHeld::~SignalsHeld() {
  if (--holds > 0) return;
  if (int signal = held_signal.exchange(0)) on_ending_signal(signal);
}

void register_child(int pid) {
  for (auto& child : children) {
    int empty = 0;
    if (child.compare_exchange_strong(empty, pid)) return;
  }
}

void forget_child(int pid) {
  for (auto& child : children) {
    int expected = pid;
    if (child.compare_exchange_strong(expected, 0)) return;
  }
}

void leave_cleanup_to_parent() {
  for (auto& child : children) child = 0;
  output_slot.used = workspace_slot.used = false;
}

support::Result<Workspace> Workspace::create() {
  llvm::SmallString<128> root;
  llvm::sys::path::system_temp_directory(true, root);  // $TMPDIR, or /tmp
  std::string name = root.str().str() + "/gridcc-XXXXXX";
  SignalsHeld until_registered;
  if (!mkdtemp(name.data()))
    return support::fail("cannot create a temporary directory " + name + ": " +
                         std::strerror(errno));
  return Workspace(std::move(name), false);
}

support::Result<Workspace> Workspace::keep_in(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return support::fail(directory + ": " + error.message());
  return Workspace(directory, true);
}

Workspace::Workspace(std::string path, bool keep) : path_(std::move(path)), keep_(keep) {
  if (!keep_) publish(workspace_slot, path_);
}

Workspace::Workspace(Workspace&& other) noexcept
    : path_(std::move(other.path_)), keep_(std::exchange(other.keep_, true)) {}

Workspace::~Workspace() {
  if (keep_) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  workspace_slot.used = false;
}

PendingOutput::PendingOutput(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) publish(output_slot, path_);
}

void PendingOutput::keep() {
  kept_ = true;
  output_slot.used = false;
}

PendingOutput::~PendingOutput() {
  if (kept_ || path_.empty()) return;
  output_slot.used = false;
  if (is_ordinary_file(path_.c_str())) unlink(path_.c_str());
}

}  // namespace gridspan::driver
