// Files, seals, and who makes room.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/header_cache.h"

#include "driver/files.h"
#include "driver/header_list.h"
#include "support/cache_folder.h"
#include "support/hash.h"

#include <fcntl.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;
using llvm::StringRef;

constexpr char first_line[] = "precompiled headers 1\n";
constexpr auto long_time = std::chrono::hours(24 * 30);
constexpr auto before_next_trial = std::chrono::hours(24);

/// Size, and time in nanoseconds.
struct Stamp {
  std::int64_t size = -1, time = -1;
  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return {};
  return {status.st_size, status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

std::string seal_of(StringRef bytes) {
  return llvm::utohexstr(support::hash_bytes(bytes.data(), bytes.size()), true, 16);
}

/// Of a file; empty if there is none.
std::string seal_of_file(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  return buffer ? seal_of((*buffer)->getBuffer()) : std::string();
}

/// A file's name in a line of its own is whole: clang's rule cannot list names with line ends.
std::optional<HeaderEntry> parse(StringRef text, std::string& pch_seal) {
  if (text.size() < 17 || !text.consume_front(first_line)) return std::nullopt;
  HeaderEntry entry;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    auto [kind, value] = line.split(' ');
    if (kind == "file") {
      Stamp stamp;
      const auto [size, more] = value.split(' ');
      const auto [time, name] = more.split(' ');
      if (size.getAsInteger(10, stamp.size) || time.getAsInteger(10, stamp.time) ||
          stamp_of(name.str()) != stamp)
        return std::nullopt;
      entry.files.push_back(name.str());
    } else if (kind == "include") {
      entry.includes.insert(value.str());
    } else if (kind == "name") {
      entry.names.insert(value.str());
    } else if (kind == "seal") {
      pch_seal = value.str();
    }
  }
  return entry;
}

/// With its seal, the last line.
std::string sealed(const std::string& text) { return text + seal_of(text) + "\n"; }

std::optional<StringRef> unsealed(StringRef text) {
  constexpr std::size_t length = 17;
  if (text.size() < length) return std::nullopt;
  const StringRef content = text.drop_back(length);
  return seal_of(content) + "\n" == text.take_back(length) ? std::optional(content) : std::nullopt;
}

/// Puts a file in its place as a whole.
bool put(const std::string& root, const std::string& path, StringRef content) {
  auto temporary = support::make_temporary_file(root);
  if (!temporary) return false;
  if (write_file(*temporary, content) && std::rename(temporary->c_str(), path.c_str()) == 0)
    return true;
  ::unlink(temporary->c_str());
  return false;
}

/// A file that one process holds at a time; goes with the process.
class Held {
 public:
  explicit Held(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)) {
    if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) close();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { close(); }
  explicit operator bool() const { return descriptor_ >= 0; }

  /// Nobody has tried to make the entry, or not for long; from now on somebody has.
  bool begin() const {
    struct stat status{};
    if (fstat(descriptor_, &status) != 0) return false;
    const auto age = std::chrono::nanoseconds(
        now() - (status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec));
    if (status.st_size != 0 && age < before_next_trial) return false;
    return ::pwrite(descriptor_, "made\n", 5, 0) == 5;
  }

 private:
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }
  int descriptor_;
};

}  // namespace

std::optional<HeaderEntry> HeaderCache::find(const std::string& key) const {
  const std::string facts = path(key, ".facts"), pch = path(key, ".pch");
  if (root_.empty() || !support::is_ours_alone(root_) || !support::is_ours_alone(facts) ||
      !support::is_ours_alone(pch))
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(facts, false, false);
  if (!buffer) return std::nullopt;
  const auto text = unsealed((*buffer)->getBuffer());
  std::string seal;
  auto entry = text ? parse(*text, seal) : std::nullopt;
  if (!entry || seal.empty() || seal_of_file(pch) != seal) {
    ::unlink(facts.c_str());
    // So that the next who asks makes it again; where nothing can be written, nobody does.
    std::error_code error;
    fs::resize_file(path(key, ".seen"), 0, error);
    return std::nullopt;
  }
  utimensat(AT_FDCWD, facts.c_str(), nullptr, 0);
  entry->pch = pch;
  return entry;
}

bool HeaderCache::prepare() const {
  if (root_.empty() || !support::make_cache_folder(fs::path(root_).parent_path(), root_) ||
      !support::is_ours_alone(root_))
    return false;
  std::error_code error;
  return fs::exists(source(), error) ||
         put(root_, source(), "// Where gridcc keeps its precompiled headers.\n");
}

void HeaderCache::make(const std::string& key,
                       const std::function<std::optional<NewHeaders>()>& make) const {
  if (!prepare()) return;
  const std::string seen = path(key, ".seen");
  const int first = ::open(seen.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (first >= 0) {
    ::close(first);
    return;
  }
  const Held held(seen);
  if (!held || !held.begin()) return;
  const std::int64_t begin = now();
  if (const auto made = make()) store(key, *made, begin);
}

/// A file that was written just now may change once more within the same tick of the clock.
void HeaderCache::store(const std::string& key, const NewHeaders& made, std::int64_t begin) const {
  auto pch = llvm::MemoryBuffer::getFile(made.pch, false, false);
  auto facts = llvm::MemoryBuffer::getFile(made.facts, false, false);
  const auto rule = read_file(made.rule);
  if (!pch || !facts || !rule) return;
  std::string text = first_line;
  for (const std::string& file : prerequisites(*rule)) {
    const Stamp stamp = stamp_of(file);
    const bool is_source = file == source();
    if (stamp.size < 0 || (stamp.time >= begin && !is_source)) return;
    text +=
        "file " + std::to_string(stamp.size) + " " + std::to_string(stamp.time) + " " + file + "\n";
  }
  text += (*facts)->getBuffer();
  text += "seal " + seal_of((*pch)->getBuffer()) + "\n";
  if (put(root_, path(key, ".pch"), (*pch)->getBuffer()) &&
      put(root_, path(key, ".facts"), sealed(std::move(text))))
    make_room();
}

void HeaderCache::drop(const std::string& key) const { ::unlink(path(key, ".facts").c_str()); }

/// Entries that were not used for longest go first, and what nobody has come back for.
void HeaderCache::make_room() const {
  struct Entry {
    std::uint64_t size = 0;
    fs::file_time_type used = fs::file_time_type::min();
  };
  std::map<std::string, Entry> entries;
  std::uint64_t size = 0;
  const auto time = fs::file_time_type::clock::now();
  std::error_code error;
  for (fs::directory_iterator at(root_, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;  // another process makes room, too
    const fs::path file = at->path();
    const auto used = at->last_write_time(gone);
    const auto bytes = at->file_size(gone);
    if (gone || file == source()) continue;
    if (StringRef(file.filename().native()).starts_with(support::temporary_prefix)) {
      if (time - used > std::chrono::hours(1)) fs::remove(file, gone);
      continue;
    }
    Entry& entry = entries[file.stem()];
    entry.size += bytes;
    entry.used = std::max(entry.used, used);
    size += bytes;
  }
  std::vector<std::pair<fs::file_time_type, std::string>> by_age;
  for (const auto& [key, entry] : entries) by_age.emplace_back(entry.used, key);
  std::ranges::sort(by_age);
  for (const auto& [used, key] : by_age) {
    if (size <= limit_ && time - used < long_time) return;
    for (const char* suffix : {".facts", ".pch", ".seen"}) ::unlink(path(key, suffix).c_str());
    size -= entries[key].size;
  }
}

}  // namespace gridspan::driver
