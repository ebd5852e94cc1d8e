// Making, filling and removing the folder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/scratch_folder.h"

#include "support/hash.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace gridspan::support {

namespace fs = std::filesystem;

static std::string begin_of_names() {
  const char* root = std::getenv("TMPDIR");
  return std::string(root && *root ? root : "/tmp") + "/gridspan-";
}

/// Ours, and older than any compilation.
static bool is_left_behind(const std::string& folder) {
  struct stat status{};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && std::time(nullptr) - status.st_mtime > 60 * 60;
}

Result<ScratchFolder> ScratchFolder::make_for(std::string_view text) {
  char number[33];
  std::snprintf(number, sizeof number, "%016llx%016llx",
                static_cast<unsigned long long>(hash_bytes(text.data(), text.size())),
                static_cast<unsigned long long>(hash_bytes(text.data(), text.size(), 1)));
  // Several processes at a time, and folders that killed ones left.
  constexpr int most_at_a_time = 64;
  for (int i = 0; i < most_at_a_time; ++i) {
    std::string name = begin_of_names() + number + "-" + std::to_string(i);
    if (is_left_behind(name)) {
      std::error_code ignored;
      fs::remove_all(name, ignored);
    }
    if (mkdir(name.c_str(), 0700) == 0) return ScratchFolder(std::move(name));
  }
  return make();
}

Result<ScratchFolder> ScratchFolder::make() {
  std::string name = begin_of_names() + "XXXXXX";
  if (mkdtemp(name.data())) return ScratchFolder(std::move(name));
  return fail("cannot make the folder " + name + ": " + std::strerror(errno));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<void> ScratchFolder::write(std::string_view folder, std::string_view name,
                                  std::string_view content) const {
  const fs::path within = fs::path(name).lexically_normal();
  if (within.is_absolute() || within.empty() || *within.begin() == "..")
    return fail("header '" + std::string(name) + "': its name leads out of its folder");
  const fs::path file = fs::path(path_) / folder / within;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream stream(file, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  if (stream) return {};
  return fail("cannot write " + file.string() + ": " + std::strerror(errno));
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes;
  std::error_code error;
  if (const auto size = fs::file_size(path, error); !error) bytes.resize(size);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  // Of a file that is no ordinary one, or grows, the rest.
  stream.clear();
  bytes.append(std::istreambuf_iterator<char>(stream), {});
  return bytes;
}

}  // namespace gridspan::support
