// Making, filling and removing the folder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/scratch_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace gridspan::support {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make() {
  const char* root = std::getenv("TMPDIR");
  std::string name = std::string(root && *root ? root : "/tmp") + "/gridspan-XXXXXX";
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
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace gridspan::support
