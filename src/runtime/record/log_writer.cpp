// Appends records and chunks to a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/archive.h"
#include "runtime/record/log_file.h"
#include "runtime/record/log_frame.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace gridspan::runtime::record {

struct LogWriter::Chunks {
  std::unordered_multimap<std::uint64_t, std::uint64_t> places;  // hash -> offset of the record
};

namespace {

/// Two processes must not write into one file: the second waits for nobody, and is told so.
bool is_ours(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

int create(const std::string& file) {
  // Emptied only when it is ours.
  return ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}

bool is_zero(std::string_view bytes) {
  return bytes.empty() ||
         (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

support::Result<LogWriter> LogWriter::open(const std::string& file) {
  std::string name = file;
  int descriptor = create(name);
  if (descriptor >= 0 && !is_ours(descriptor)) {
    ::close(descriptor);
    name += "." + std::to_string(getpid());
    descriptor = create(name);
  }
  if (descriptor < 0 || ftruncate(descriptor, 0) != 0) {
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    return support::fail("cannot write '" + name + "': " + std::strerror(error));
  }
  LogWriter writer(descriptor, std::move(name));
  writer.chunks_ = new Chunks;
  const std::string line = first_line();
  writer.put(line.data(), line.size());
  if (writer.error_ != 0) {
    return support::fail("cannot write '" + writer.file_ + "': " + std::strerror(writer.error_));
  }
  return writer;
}

LogWriter::LogWriter(LogWriter&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      file_(std::move(other.file_)),
      size_(other.size_),
      error_(other.error_),
      chunks_(std::exchange(other.chunks_, nullptr)) {}

LogWriter::~LogWriter() {
  delete chunks_;
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LogWriter::put(const char* bytes, std::size_t size) {
  while (size > 0 && error_ == 0) {
    const ssize_t written = ::write(descriptor_, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = errno;
      return;
    }
    bytes += written;
    size -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
}

std::uint64_t LogWriter::write(Record record) {
  const std::uint64_t place = size_;
  frame_.assign(sizeof(FrameHead), '\0');
  Encoder encoder(frame_);
  std::visit([&](auto& one) { one.fields(encoder); }, record);
  const std::string_view payload = std::string_view(frame_).substr(sizeof(FrameHead));
  if (payload.size() > UINT32_MAX) {
    error_ = EFBIG;
    return place;
  }
  const auto kind = static_cast<std::uint32_t>(record.index());
  const FrameHead head{static_cast<std::uint32_t>(payload.size()), kind, checksum(kind, payload)};
  std::memcpy(frame_.data(), &head, sizeof head);
  put(frame_.data(), frame_.size());
  return place;
}

Bytes LogWriter::keep(const char* from, std::size_t size) {
  Bytes kept;
  kept.size = size;
  for (std::size_t at = 0; at < size; at += Bytes::chunk_bytes) {
    kept.chunks.push_back(keep_chunk({from + at, std::min(Bytes::chunk_bytes, size - at)}));
  }
  return kept;
}

std::uint64_t LogWriter::keep_chunk(std::string_view chunk) {
  if (is_zero(chunk)) return 0;
  const std::uint64_t hash = support::hash_bytes(chunk.data(), chunk.size());
  const auto [begin, end] = chunks_->places.equal_range(hash);
  for (auto place = begin; place != end; ++place) {
    if (is_at(place->second, chunk)) return place->second;
  }
  const std::uint64_t offset = write(ChunkNote{{std::string(chunk)}});
  chunks_->places.emplace(hash, offset);
  return offset;
}

/// Equal hashes are not enough to leave somebody's data out: they are compared.
bool LogWriter::is_at(std::uint64_t offset, std::string_view chunk) {
  compared_.resize(chunk.size() + sizeof(std::uint32_t));
  const auto place = static_cast<off_t>(offset + sizeof(FrameHead));
  const ssize_t got = pread(descriptor_, compared_.data(), compared_.size(), place);
  if (got != static_cast<ssize_t>(compared_.size())) return false;
  std::uint32_t length = 0;
  std::memcpy(&length, compared_.data(), sizeof length);
  return length == chunk.size() && std::string_view(compared_).substr(sizeof length) == chunk;
}

}  // namespace gridspan::runtime::record
