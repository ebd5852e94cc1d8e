// What is written is read back; what is damaged is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/log_file.h"

#include "sample_records.h"
#include "temporary_file.h"

#include <gtest/gtest.h>

#include <random>

namespace gridspan::tests {
namespace {

using namespace runtime::record;

void write_samples(const TemporaryFile& file) {
  auto writer = LogWriter::open(file.name());
  ASSERT_TRUE(writer) << writer.error().message;
  for (const Record& record : sample_records()) writer->write(record);
  EXPECT_EQ(writer->error(), 0);
}

struct Read {
  std::vector<std::string> records;  // as bytes
  std::string error;                 // empty: none
};

Read read_all(const std::string& name) {
  Read all;
  auto reader = LogReader::open(name);
  if (!reader) return {{}, reader.error().message};
  for (;;) {
    auto record = reader->next();
    if (!record) all.error = record.error().message;
    if (!record || !*record) return all;
    all.records.push_back(bytes_of(**record));
  }
}

std::vector<std::string> sample_bytes() {
  std::vector<std::string> bytes;
  for (const Record& record : sample_records()) bytes.push_back(bytes_of(record));
  return bytes;
}

TEST(LogFile, SamplesHoldEveryKind) {
  const auto samples = sample_records();
  ASSERT_EQ(samples.size(), std::variant_size_v<Record>);
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].index(), i);
}

TEST(LogFile, WhatIsWrittenIsRead) {
  const TemporaryFile file;
  write_samples(file);
  const Read read = read_all(file.name());
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.records, sample_bytes());
}

// A crash can end the file anywhere: what is whole is read, and what is not is told with its place.
TEST(LogFile, EveryCutIsNoticedOrBetweenRecords) {
  const TemporaryFile file;
  write_samples(file);
  const std::string whole = file.read();
  const std::vector<std::string> expected = sample_bytes();
  const MemoryFile cut;
  std::size_t between = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    cut.write(whole.substr(0, size));
    const Read read = read_all(cut.name());
    ASSERT_LE(read.records.size(), expected.size());
    for (std::size_t i = 0; i < read.records.size(); ++i) ASSERT_EQ(read.records[i], expected[i]);
    if (read.error.empty()) {
      ++between;
    } else {
      EXPECT_EQ(read.error.find(cut.name() + ": "), 0u) << read.error;
    }
  }
  EXPECT_EQ(between, expected.size());  // before the first, and after each but the last
}

TEST(LogFile, EveryChangedByteIsNoticed) {
  const TemporaryFile file;
  write_samples(file);
  const std::string whole = file.read();
  const MemoryFile changed;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x41);
    changed.write(bytes);
    const Read read = read_all(changed.name());
    EXPECT_NE(read.error, "") << "byte " << at;
  }
}

TEST(LogFile, OffsetsAreNamed) {
  const TemporaryFile file;
  write_samples(file);
  std::string bytes = file.read();
  bytes[bytes.size() - 1] = static_cast<char>(bytes[bytes.size() - 1] ^ 1);
  // The last record, a place: 16 bytes of head, a number, a truth value.
  const std::string last = std::to_string(bytes.size() - 16 - 8 - 1);
  file.write(bytes);
  EXPECT_EQ(read_all(file.name()).error, file.name() + ": is damaged at offset " + last);
  file.write(bytes.substr(0, bytes.size() - 3));
  EXPECT_EQ(read_all(file.name()).error, file.name() + ": is cut off at offset " + last);
}

TEST(LogFile, OtherFilesAreRefused) {
  const TemporaryFile file;
  file.write("#!/bin/sh\necho this is no recording\n");
  EXPECT_EQ(read_all(file.name()).error, file.name() + ": is no recording made by gridspan record");
  file.write("gridspan record 9\n");
  EXPECT_NE(read_all(file.name()).error.find("another format"), std::string::npos);
  EXPECT_NE(read_all("/nowhere/at/all").error.find("/nowhere/at/all: cannot be read"),
            std::string::npos);
  EXPECT_FALSE(LogWriter::open("/nowhere/at/all"));
}

TEST(LogFile, BytesComeBackAndEqualChunksAreKeptOnce) {
  const TemporaryFile file;
  std::mt19937 generator(5);
  std::string data(3 * Bytes::chunk_bytes + 77, '\0');
  for (char& byte : data) byte = static_cast<char>(generator());
  data.replace(Bytes::chunk_bytes, Bytes::chunk_bytes, data, 0, Bytes::chunk_bytes);
  data.replace(2 * Bytes::chunk_bytes, Bytes::chunk_bytes, Bytes::chunk_bytes, '\0');
  auto writer = LogWriter::open(file.name());
  ASSERT_TRUE(writer);
  const Bytes first = writer->keep(data.data(), data.size());
  const std::size_t size = file.read().size();
  const Bytes second = writer->keep(data.data(), data.size());
  EXPECT_EQ(file.read().size(), size);  // nothing new
  EXPECT_EQ(first.chunks, second.chunks);
  ASSERT_EQ(first.chunks.size(), 4u);
  EXPECT_EQ(first.chunks[0], first.chunks[1]);
  EXPECT_EQ(first.chunks[2], 0u);
  const Bytes none = writer->keep(nullptr, 0);
  auto reader = LogReader::open(file.name());
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->bytes(first).value(), data);
  EXPECT_EQ(reader->bytes(none).value(), "");
  EXPECT_FALSE(reader->bytes({first.size, {first.chunks[0] + 1, 0, 0, 0}}));
  EXPECT_FALSE(reader->bytes({first.size, {0}}));
}

TEST(LogFile, TwoWritersDoNotShareAFile) {
  const TemporaryFile file;
  auto first = LogWriter::open(file.name());
  ASSERT_TRUE(first);
  first->write(EndNote{});
  auto second = LogWriter::open(file.name());
  ASSERT_TRUE(second);
  EXPECT_EQ(second->file(), file.name() + "." + std::to_string(getpid()));
  std::filesystem::remove(second->file());
  EXPECT_EQ(read_all(file.name()).records.size(), 1u);
}

TEST(LogFile, AFullDiskIsNoticed) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  EXPECT_FALSE(LogWriter::open("/dev/full"));
}

}  // namespace
}  // namespace gridspan::tests
