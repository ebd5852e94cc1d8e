// The file of a recording: records one after the other, each with its length and a checksum.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   "gridspan record 1\n"  { u32 payload bytes · u32 kind · u64 checksum · payload } ...
//
// Each record is written by one call, so that the file of a program that crashes is whole up to
// its last record.
#pragma once

#include "runtime/record/log_records.h"
#include "support/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gridspan::runtime::record {

/// Writes a recording. One thread at a time.
class LogWriter {
 public:
  /// Creates or empties the file. Another running process may be writing it: then the process's
  /// number is added to the name. The error says why it cannot be written.
  static support::Result<LogWriter> open(const std::string& file);
  LogWriter(LogWriter&& other) noexcept;
  LogWriter& operator=(LogWriter&&) = delete;
  ~LogWriter();

  /// Returns where the record stands. Does nothing any more once writing has failed.
  std::uint64_t write(Record record);

  /// Keeps `size` bytes in the file; what is there already is not written again.
  Bytes keep(const char* from, std::size_t size);

  const std::string& file() const { return file_; }
  /// The system's word for what went wrong; 0: nothing.
  int error() const { return error_; }

 private:
  LogWriter(int descriptor, std::string file) : descriptor_(descriptor), file_(std::move(file)) {}
  void put(const char* bytes, std::size_t size);
  std::uint64_t keep_chunk(std::string_view chunk);
  bool is_at(std::uint64_t offset, std::string_view chunk);

  struct Chunks;  // by hash
  int descriptor_;
  std::string file_;
  std::uint64_t size_ = 0;
  int error_ = 0;
  Chunks* chunks_ = nullptr;
  std::string frame_, compared_;
};

/// Reads a recording. Whatever the file holds, it does no more than say what is wrong with it.
class LogReader {
 public:
  /// The error is one line that begins with the file's name.
  static support::Result<LogReader> open(const std::string& file);
  LogReader(LogReader&& other) noexcept;
  LogReader& operator=(LogReader&&) = delete;
  ~LogReader();

  /// The next record; nothing at the end. Errors name file and offset.
  support::Result<std::optional<Record>> next();

  /// The bytes that a record refers to.
  support::Result<std::string> bytes(const Bytes& reference) const;

 private:
  LogReader(int descriptor, std::string file, std::uint64_t size)
      : descriptor_(descriptor), file_(std::move(file)), size_(size) {}
  /// The record at `offset`, which is set to what follows it.
  support::Result<Record> read(std::uint64_t& offset) const;
  bool get(std::uint64_t offset, void* to, std::size_t size) const;
  tl::unexpected<support::Error> damaged(std::uint64_t offset, std::string_view how) const;

  int descriptor_;
  std::string file_;
  std::uint64_t size_;
  std::uint64_t offset_ = 0;
};

}  // namespace gridspan::runtime::record
