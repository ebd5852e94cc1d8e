// What is read from there is believed, so nobody else may have written it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace gridspan::support {

namespace fs = std::filesystem;

std::string cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return std::string(cache) + "/gridspan";
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/.cache/gridspan" : std::string();
}

bool is_ours_alone(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 && !S_ISLNK(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Result<void> make_cache_folder(const std::string& root, const std::string& folder) {
  std::error_code error;
  fs::create_directories(fs::path(root).parent_path(), error);
  mkdir(root.c_str(), 0700);
  if (!is_ours_alone(root)) return fail(root + ": cannot be made, or others may write there");
  fs::create_directories(folder, error);
  if (error) return fail(folder + ": " + error.message());
  return {};
}

Result<std::string> make_temporary_file(const std::string& root) {
  std::string name = root + "/" + std::string(temporary_prefix) + "XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) return fail(name + ": " + std::strerror(errno));
  ::close(descriptor);
  return name;
}

}  // namespace gridspan::support
