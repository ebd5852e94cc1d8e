// Writes a recording of this process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/record/log_file.h"
#include "support/options.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace gridspan::runtime::record {

/// Thread safe.
class Recorder {
 public:
  /// Creates the file that GRIDSPAN_RECORD names and writes its header.
  static support::Result<std::unique_ptr<Recorder>> start(
      const support::Options& options, std::span<const std::unique_ptr<devices::Device>> devices);

  /// Whether contents of memory are recorded, too.
  bool has_data() const { return has_data_; }

  std::uint64_t write(Record record);
  Bytes keep(const char* from, std::size_t size);
  /// Fills in time, thread and command.
  void write_call(CallNote note);
  /// The process ends in order.
  void end();

  /// Nanoseconds since the recording began.
  std::uint64_t now() const;

 private:
  Recorder(LogWriter writer, bool has_data);
  bool may_write();

  std::mutex mutex_;
  LogWriter writer_;
  bool has_data_;
  bool told_of_error_ = false;
  std::int64_t start_;
  int process_;
  std::atomic<std::uint32_t> threads_{0};
};

/// The last command that this thread put into the queue; an API call forgets it when it begins.
extern constinit thread_local std::uint64_t last_command;

}  // namespace gridspan::runtime::record
