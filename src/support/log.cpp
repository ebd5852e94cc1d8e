// Writes log lines, each with one write(2).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

namespace gridspan::support {

namespace detail {
// Constant-initialised: constructors of other objects may log before ours run.
std::atomic<LogLevel> log_level{LogLevel::error};
}  // namespace detail

namespace {

std::atomic<int> log_file{STDERR_FILENO};

const char* name_of(LogLevel level) {
  switch (level) {
    case LogLevel::off:
      return "off";
    case LogLevel::error:
      return "error";
    case LogLevel::warn:
      return "warning";
    case LogLevel::info:
      return "info";
    case LogLevel::debug:
      return "debug";
    case LogLevel::trace:
      return "trace";
  }
  return "?";
}

void write_all(int file, const char* text, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file, text, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody left to tell
    text += written;
    size -= static_cast<std::size_t>(written);
  }
}

}  // namespace

bool set_log(const LogChoice& choice) {
  detail::log_level.store(choice.level, std::memory_order_relaxed);
  if (choice.file.empty()) {
    log_file.store(STDERR_FILENO);
    return true;
  }
  const int file = ::open(choice.file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return false;
  log_file.store(file);  // the previous one stays open: another thread may be writing to it
  return true;
}

void log(LogLevel level, const char* format, ...) {
  if (level == LogLevel::off || !logs(level)) return;
  char line[2048];
  const int head = std::snprintf(line, sizeof line, "gridspan: %s: ", name_of(level));
  std::va_list arguments;
  va_start(arguments, format);
  const std::size_t room = sizeof line - static_cast<std::size_t>(head) - 1;  // 1 for '\n'
  const int body = std::vsnprintf(line + head, room, format, arguments);
  va_end(arguments);
  if (body < 0) return;
  const std::size_t size =
      static_cast<std::size_t>(head) + std::min(static_cast<std::size_t>(body), room - 1);
  line[size] = '\n';
  write_all(log_file.load(), line, size + 1);
}

void log_plain(LogLevel level, const std::string& text) {
  if (level == LogLevel::off || !logs(level)) return;
  const std::string line = text + "\n";
  write_all(log_file.load(), line.data(), line.size());
}

void log_text(LogLevel level, const std::string& text) { log_plain(level, "gridspan: " + text); }

}  // namespace gridspan::support
