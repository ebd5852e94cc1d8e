// Recognising and removing a vendor SDK's include directories.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/vendor_headers.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

void note(std::vector<std::string>& dropped, const std::string& directory) {
  if (std::find(dropped.begin(), dropped.end(), directory) == dropped.end())
    dropped.push_back(directory);
}

}  // namespace

bool has_vendor_headers(const std::string& directory) {
  std::error_code error;
  fs::path path(directory);
  // host_runtime.h is what nvcc includes into its own intermediate files: no one else has it.
  return fs::exists(path / "cuda_runtime.h", error) &&
         fs::exists(path / "crt" / "host_runtime.h", error);
}

std::vector<std::string> without_vendor_headers(const std::vector<std::string>& flags,
                                                std::vector<std::string>& dropped) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    bool joined = flag.starts_with("-I") && flag.size() > 2;
    bool pair = (flag == "-isystem" || flag == "-idirafter") && i + 1 < flags.size();
    std::string directory = joined ? flag.substr(2) : pair ? flags[i + 1] : std::string();
    if (!directory.empty() && has_vendor_headers(directory)) {
      note(dropped, directory);
      i += pair;
      continue;
    }
    kept.push_back(flag);
  }
  return kept;
}

void clean_include_environment() {
  const char* paths = std::getenv("CPATH");
  if (!paths) return;
  llvm::SmallVector<llvm::StringRef, 8> all, kept;
  llvm::StringRef(paths).split(all, ':');
  for (llvm::StringRef path : all)
    if (path.empty() || !has_vendor_headers(path.str())) kept.push_back(path);
  if (kept.size() < all.size()) setenv("CPATH", llvm::join(kept, ":").c_str(), 1);
}

}  // namespace gridspan::driver
