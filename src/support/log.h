// One log for the whole run time, off the fast path when nobody listens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace gridspan::support {

enum class LogLevel : std::uint8_t { off, error, warn, info, debug, trace };

/// GRIDSPAN_LOG as parsed: how much, and where to (empty = standard error).
struct LogChoice {
  LogLevel level = LogLevel::error;
  std::string file;
};

namespace detail {
extern std::atomic<LogLevel> log_level;
}

/// True when messages of `level` are written. Cheap enough to ask before every message.
inline bool logs(LogLevel level) {
  return level <= detail::log_level.load(std::memory_order_relaxed);
}

/// Takes effect for all threads. Returns false, and keeps standard error, if the file does not
/// open.
bool set_log(const LogChoice& choice);

/// Writes "gridspan: LEVEL: text\n" in one write, so that lines of threads do not mix.
void log(LogLevel level, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Writes "text\n" for text that names its source itself.
void log_plain(LogLevel level, const std::string& text);

/// Writes "gridspan: text\n" for text that says by itself how bad it is ("file:1:2: error: ...").
void log_text(LogLevel level, const std::string& text);

}  // namespace gridspan::support
