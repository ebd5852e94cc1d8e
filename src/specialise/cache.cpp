// Files, their seals, and who makes room.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/cache.h"

#include "abi/module.h"
#include "support/cache_folder.h"
#include "support/hash.h"
#include "support/scratch_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace gridspan::specialise {
namespace {

namespace fs = std::filesystem;
using support::fail;
using support::is_ours_alone;
using support::LaunchCondition;
using support::Result;
using support::temporary_prefix;

constexpr std::string_view suffix = ".so";
constexpr std::size_t longest_name = 255;

/// At the end of every entry.
struct Seal {
  char magic[8];
  std::uint64_t size;  // of what is before
  std::uint64_t hash;
};
constexpr char seal_magic[8] = {'G', 'R', 'I', 'D', 'S', 'P', 'S', '2'};

/// Of an entry, from the cache's folder on.
std::string name_of(const std::string& module, const std::string& kernel,
                    const LaunchCondition& condition) {
  const std::string launches = condition.is_empty() ? "all" : to_text(condition);
  return module + "/" + kernel + "/" + launches + std::string(suffix);
}

/// Of the content under this name.
Seal seal_of(const std::string& name, std::string_view content) {
  Seal seal{};
  std::memcpy(seal.magic, seal_magic, sizeof seal.magic);
  seal.size = content.size();
  const std::uint64_t place = support::hash_bytes(name.data(), name.size(), abi::version);
  seal.hash = support::hash_bytes(content.data(), content.size(), place);
  return seal;
}

/// What is before the seal; nothing if that is not right.
std::optional<std::string_view> unseal(const std::string& name, const std::string& file) {
  Seal seal;
  if (file.size() < sizeof seal) return std::nullopt;
  const std::string_view content(file.data(), file.size() - sizeof seal);
  std::memcpy(&seal, file.data() + content.size(), sizeof seal);
  const Seal right = seal_of(name, content);
  if (std::memcmp(&seal, &right, sizeof seal) != 0) return std::nullopt;
  return content;
}

}  // namespace

std::vector<LaunchCondition> Cache::find(const std::string& module,
                                         const std::string& kernel) const {
  std::vector<LaunchCondition> found;
  if (!is_ours_alone(root_)) return found;
  std::error_code error;
  for (fs::directory_iterator at(root_ + "/" + module + "/" + kernel, error), end;
       !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (!name.ends_with(suffix) || name.starts_with('.')) continue;
    const auto condition = support::parse_condition(name.substr(0, name.size() - suffix.size()));
    if (condition && !condition->is_empty()) found.push_back(*condition);
  }
  return found;
}

bool Cache::has(const std::string& module, const std::string& kernel,
                const LaunchCondition& condition) const {
  return ::access(path_of(name_of(module, kernel, condition)).c_str(), R_OK) == 0;
}

bool Cache::has_any(const std::string& module) const {
  return ::access((root_ + "/" + module).c_str(), X_OK) == 0;
}

Result<Cache::Entry> Cache::open(const std::string& module, const std::string& kernel,
                                 const LaunchCondition& condition) const {
  const std::string name = name_of(module, kernel, condition), path = path_of(name);
  if (!is_ours_alone(root_) || !is_ours_alone(path))
    return fail(path + ": not there, or not ours alone");
  const std::string file = support::read_file(path);
  const auto content = unseal(name, file);
  if (!content) return fail(path + ": damaged, or another entry");
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  if (content->starts_with(refusal_mark))
    return Entry{{}, std::string(content->substr(refusal_mark.size()))};
  return Entry{path, {}};
}

Result<std::string> Cache::make_temporary() const {
  if (auto made = support::make_cache_folder(root_, root_); !made) return fail(made.error());
  return support::make_temporary_file(root_);
}

Result<void> Cache::store(const std::string& module, const std::string& kernel,
                          const LaunchCondition& condition, const std::string& content) {
  const std::string name = name_of(module, kernel, condition), path = path_of(name);
  const fs::path folder = fs::path(path).parent_path();
  if (fs::path(path).filename().native().size() > longest_name)
    return fail("too many scalars are known");
  if (auto made = support::make_cache_folder(root_, folder); !made) return fail(made.error());
  auto temporary = make_temporary();
  if (!temporary) return fail(temporary.error());
  const Seal seal = seal_of(name, content);
  std::ofstream stream(*temporary, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.write(reinterpret_cast<const char*>(&seal), sizeof seal);
  stream.close();
  if (!stream || std::rename(temporary->c_str(), path.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    ::unlink(temporary->c_str());
    return fail(path + ": " + why);
  }
  make_room();
  return {};
}

/// Removes what was not used for longest, a quarter more than it must, and what processes left that
/// were killed.
void Cache::make_room() const {
  struct File {
    fs::path path;
    std::uint64_t size;
    fs::file_time_type used;
  };
  std::vector<File> files;
  std::uint64_t size = 0;
  std::error_code error;
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (fs::recursive_directory_iterator at(root_, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;  // another process makes room, too
    if (!at->is_regular_file(gone)) continue;
    const File file{at->path(), at->file_size(gone), at->last_write_time(gone)};
    if (gone) continue;
    if (file.path.filename().native().starts_with(temporary_prefix)) {
      if (file.used < long_ago) fs::remove(file.path, gone);
      continue;
    }
    size += file.size;
    files.push_back(file);
  }
  if (size <= limit_) return;
  std::ranges::sort(files, {}, &File::used);
  for (const File& file : files) {
    if (size <= limit_ / 4 * 3) return;
    std::error_code gone;
    fs::remove(file.path, gone);
    fs::remove(file.path.parent_path(), gone);  // if it is empty, as the module's folder
    fs::remove(file.path.parent_path().parent_path(), gone);
    size -= file.size;
  }
}

}  // namespace gridspan::specialise
