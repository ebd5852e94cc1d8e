// Files, their seals, and who makes room.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/sealed_files.h"

#include "support/cache_folder.h"
#include "support/hash.h"
#include "support/scratch_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace gridspan::support {
namespace {

namespace fs = std::filesystem;

/// At the end of every file.
struct Seal {
  char magic[8];
  std::uint64_t size;  // of what is before
  std::uint64_t hash;
};
constexpr char seal_magic[8] = {'G', 'R', 'I', 'D', 'S', 'P', 'S', '2'};

/// Of the content under this name.
Seal seal_of(const std::string& name, std::string_view content, std::uint64_t version) {
  Seal seal{};
  std::memcpy(seal.magic, seal_magic, sizeof seal.magic);
  seal.size = content.size();
  const std::uint64_t place = hash_bytes(name.data(), name.size(), version);
  seal.hash = hash_bytes(content.data(), content.size(), place);
  return seal;
}

}  // namespace

Result<std::string> SealedFiles::read(const std::string& name) const {
  const std::string file = path(name);
  if (!is_ours_alone(root_) || !is_ours_alone(file))
    return fail(file + ": not there, or not ours alone");
  std::string bytes = read_file(file);
  Seal seal;
  if (bytes.size() < sizeof seal) return fail(file + ": damaged");
  const std::size_t size = bytes.size() - sizeof seal;
  std::memcpy(&seal, bytes.data() + size, sizeof seal);
  const Seal right = seal_of(name, std::string_view(bytes).substr(0, size), version_);
  if (std::memcmp(&seal, &right, sizeof seal) != 0)
    return fail(file + ": damaged, or another entry");
  utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  bytes.resize(size);
  return bytes;
}

Result<std::string> SealedFiles::make_temporary() const {
  if (auto made = make_cache_folder(root_, root_); !made) return fail(made.error());
  return make_temporary_file(root_);
}

Result<void> SealedFiles::store(const std::string& name, const std::string& content) const {
  constexpr std::size_t longest_name = 255;
  const std::string file = path(name);
  if (fs::path(file).filename().native().size() > longest_name)
    return fail(file + ": the name is too long");
  if (content.size() > limit_ / 4) return fail(file + ": too large for the folder");
  if (auto made = make_cache_folder(root_, fs::path(file).parent_path()); !made)
    return fail(made.error());
  auto temporary = make_temporary();
  if (!temporary) return fail(temporary.error());
  const Seal seal = seal_of(name, content, version_);
  std::ofstream stream(*temporary, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.write(reinterpret_cast<const char*>(&seal), sizeof seal);
  stream.close();
  if (!stream || std::rename(temporary->c_str(), file.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    ::unlink(temporary->c_str());
    return fail(file + ": " + why);
  }
  make_room();
  return {};
}

/// Removes what was not used for longest, a quarter more than it must, and what processes left that
/// were killed.
void SealedFiles::make_room() const {
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
    for (fs::path folder = file.path.parent_path(); folder.native().size() > root_.size();
         folder = folder.parent_path())
      fs::remove(folder, gone);  // if it is empty
    size -= file.size;
  }
}

}  // namespace gridspan::support
