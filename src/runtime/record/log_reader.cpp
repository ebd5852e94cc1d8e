// Reads records back, believing nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/archive.h"
#include "runtime/record/log_file.h"
#include "runtime/record/log_frame.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace gridspan::runtime::record {

namespace {

template <class T>
bool decode_as(std::string_view payload, Record& record) {
  Decoder decoder(payload);
  record.emplace<T>().fields(decoder);
  return decoder.is_complete();
}

template <std::size_t... kinds>
bool decode(std::uint32_t kind, std::string_view payload, Record& record,
            std::index_sequence<kinds...>) {
  using Decode = bool (*)(std::string_view, Record&);
  constexpr std::array<Decode, sizeof...(kinds)> table{
      decode_as<std::variant_alternative_t<kinds, Record>>...};
  return kind < table.size() && table[kind](payload, record);
}

}  // namespace

support::Result<LogReader> LogReader::open(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat facts{};
  if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    return support::fail(file + ": cannot be read: " + std::strerror(error));
  }
  LogReader reader(descriptor, file, static_cast<std::uint64_t>(facts.st_size));
  const std::string expected = first_line();
  std::string start(expected.size(), '\0');
  const bool is_whole = reader.get(0, start.data(), start.size());
  if (!is_whole || !start.starts_with(magic)) {
    return support::fail(file + ": is no recording made by gridspan record");
  }
  if (start != expected) {
    return support::fail(file + ": was recorded in another format; this gridspan reads format " +
                         std::to_string(format_version));
  }
  reader.offset_ = expected.size();
  return reader;
}

LogReader::LogReader(LogReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      file_(std::move(other.file_)),
      size_(other.size_),
      offset_(other.offset_) {}

LogReader::~LogReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool LogReader::get(std::uint64_t offset, void* to, std::size_t size) const {
  if (offset > size_ || size > size_ - offset) return false;
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = pread(descriptor_, at, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

tl::unexpected<support::Error> LogReader::damaged(std::uint64_t offset,
                                                  std::string_view how) const {
  return support::fail(file_ + ": " + std::string(how) + " at offset " + std::to_string(offset));
}

support::Result<Record> LogReader::read(std::uint64_t& offset) const {
  FrameHead head{};
  if (!get(offset, &head, sizeof head) || head.size > size_ - offset - sizeof head) {
    return damaged(offset, "is cut off");
  }
  std::string payload(head.size, '\0');
  if (!get(offset + sizeof head, payload.data(), payload.size())) {
    return damaged(offset, "cannot be read");
  }
  if (checksum(head.kind, payload) != head.checksum) return damaged(offset, "is damaged");
  Record record;
  constexpr auto kinds = std::make_index_sequence<std::variant_size_v<Record>>();
  if (!decode(head.kind, payload, record, kinds)) {
    return damaged(offset, "holds a record that this gridspan does not know");
  }
  offset += sizeof head + head.size;
  return record;
}

support::Result<std::optional<Record>> LogReader::next() {
  if (offset_ == size_) return std::optional<Record>();
  auto record = read(offset_);
  if (!record) return support::fail(record.error());
  return std::optional<Record>(std::move(*record));
}

support::Result<std::string> LogReader::bytes(const Bytes& reference) const {
  std::string bytes;
  for (const std::uint64_t chunk : reference.chunks) {
    const std::uint64_t left = reference.size - bytes.size();
    const std::size_t wanted = left < Bytes::chunk_bytes ? left : Bytes::chunk_bytes;
    if (chunk == 0) {
      bytes.append(wanted, '\0');
      continue;
    }
    std::uint64_t offset = chunk;
    auto record = read(offset);
    if (!record) return support::fail(record.error());
    const auto* note = std::get_if<ChunkNote>(&*record);
    if (!note || note->data.bytes.size() != wanted) return damaged(chunk, "holds no such data");
    bytes += note->data.bytes;
  }
  if (bytes.size() != reference.size) return damaged(offset_, "refers to too little data");
  return bytes;
}

}  // namespace gridspan::runtime::record
