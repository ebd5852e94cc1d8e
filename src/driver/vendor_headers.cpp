// Recognising and removing a vendor SDK's include directories.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/vendor_headers.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

void note(std::vector<std::string>& dropped, const std::string& directory) {
  if (std::find(dropped.begin(), dropped.end(), directory) == dropped.end())
    dropped.push_back(directory);
}

/// The beginnings of names of headers that only NVIDIA's SDK has, or that ours replace: what hides
/// beside others.
constexpr std::array<std::string_view, 16> vendors_names = {
    "cublas", "cudnn", "cufft",  "curand", "cusolver",  "cusparse",      "cufile",   "cutensor",
    "cupti",  "nccl",  "nvblas", "nvjpeg", "nvJitLink", "nvPTXCompiler", "nvfatbin", "npp"};

/// A link that leads into an SDK, or a header that an SDK put among others.
bool is_vendors(const fs::directory_entry& entry) {
  std::error_code error;
  if (entry.is_symlink(error) &&
      has_vendor_headers(fs::canonical(entry.path(), error).parent_path()))
    return true;
  const std::string name = entry.path().filename();
  return std::ranges::any_of(vendors_names,
                             [&](std::string_view begin) { return name.starts_with(begin); });
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

static void clean_paths(const char* variable) {
  const char* paths = std::getenv(variable);
  if (!paths) return;
  llvm::SmallVector<llvm::StringRef, 8> all, kept;
  llvm::StringRef(paths).split(all, ':');
  for (llvm::StringRef path : all)
    if (path.empty() || !has_vendor_headers(path.str())) kept.push_back(path);
  if (kept.size() < all.size()) setenv(variable, llvm::join(kept, ":").c_str(), 1);
}

void clean_include_environment() {
  for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    clean_paths(variable);
}

std::vector<std::string> searched_unasked() {
  return {"/usr/local/include", "/usr/include", "/usr/include/x86_64-linux-gnu"};
}

std::vector<std::string> vendor_headers_among_others(const std::vector<std::string>& directories) {
  std::vector<std::string> found;
  for (const std::string& directory : directories) {
    if (!has_vendor_headers(directory)) continue;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
      if (is_vendors(entry)) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::string hiding_overlay(const std::vector<std::string>& paths) {
  llvm::json::Array roots;
  for (const std::string& path : paths) {
    std::error_code error;
    // What cannot be there, for another reason than that it does not exist: clang then looks on in
    // the next folder.
    roots.push_back(
        llvm::json::Object{{"type", fs::is_directory(path, error) ? "directory-remap" : "file"},
                           {"name", path},
                           {"external-contents", "/dev/null/hidden"}});
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(
      llvm::json::Object{{"version", 0}, {"case-sensitive", "true"}, {"roots", std::move(roots)}});
  return text;
}

}  // namespace gridspan::driver
