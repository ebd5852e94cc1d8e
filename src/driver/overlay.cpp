// Writing clang's virtual file system overlay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/overlay.h"

#include "driver/files.h"
#include "driver/pragma_macros.h"
#include "driver/spaced_launch.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <algorithm>
#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

std::string normal_path(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

}  // namespace

bool Overlay::contains(const std::string& path) const {
  return std::any_of(files.begin(), files.end(),
                     [&](const File& file) { return file.path == path; });
}

support::Result<std::string> Overlay::text_of(const std::string& path) const {
  const std::string absolute = normal_path(path);
  for (const File& file : files)
    if (file.path == absolute) return file.text;
  return read_file(absolute);
}

void Overlay::set(const std::string& path, std::string text) {
  const std::string absolute = normal_path(path);
  for (File& file : files)
    if (file.path == absolute) {
      file.text = std::move(text);
      return;
    }
  files.push_back({absolute, std::move(text)});
}

bool Overlay::add_if_needed(const std::string& path) {
  std::string absolute = normal_path(path);
  if (contains(absolute)) return false;
  auto source = read_file(absolute);
  if (!source) return false;
  auto respelled = respell_launches(*source);
  if (auto again = respell_pragma_macros(respelled ? *respelled : *source)) respelled = again;
  if (!respelled) return false;
  files.push_back({absolute, std::move(*respelled)});
  return true;
}

support::Result<void> Overlay::write() const {
  std::error_code error;
  fs::create_directories(directory, error);
  llvm::json::Array roots;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::string copy = directory + "/" + std::to_string(i) + ".respelled";
    if (auto written = write_file(copy, files[i].text); !written) return written;
    roots.push_back(
        llvm::json::Object{{"type", "file"}, {"name", files[i].path}, {"external-contents", copy}});
  }
  llvm::json::Object description{{"version", 0},
                                 {"case-sensitive", "true"},
                                 {"use-external-names", "false"},
                                 {"roots", std::move(roots)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(description));
  return write_file(description_path(), text);
}

}  // namespace gridspan::driver
