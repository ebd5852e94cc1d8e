// The libraries that ours stand for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/vendor_libraries.h"

#include "driver/configuration.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace gridspan::driver {

namespace {

namespace fs = std::filesystem;

/// "cublas" of libcublas.so.12.
std::string library_name(const fs::path& path) {
  const std::string name = path.filename();
  if (!name.starts_with("lib")) return {};
  const std::size_t end = std::min(name.find(".so"), name.find(".a"));
  return end == std::string::npos ? "" : name.substr(3, end - 3);
}

/// The name before the colon in the list of link_names.txt, or nothing.
std::string standing_for(std::string_view name) {
  std::istringstream lists(configuration::link_names);
  for (std::string list; std::getline(lists, list, ';');) {
    std::istringstream words(list);
    std::string ours, word;
    words >> ours;
    while (words >> word)
      if (word == name) return ours.substr(0, ours.size() - 1);
  }
  return {};
}

/// Nothing of ours stands for it.
bool is_lacking(std::string_view name) {
  static constexpr std::array<std::string_view, 18> beginnings = {
      "cublas", "cudnn",    "cudss",     "cufft",    "cufile", "cupti",
      "curand", "cusolver", "cusparse",  "cutensor", "nccl",   "npp",
      "nvblas", "nvfatbin", "nvJitLink", "nvjpeg",   "nvperf", "nvshmem"};
  return std::ranges::any_of(beginnings,
                             [&](std::string_view begin) { return name.starts_with(begin); }) &&
         standing_for(name).empty();
}

}  // namespace

bool is_vendor_library(std::string_view name) {
  static constexpr std::array<std::string_view, 6> of_run_time = {
      "cudart", "cudart_static", "cuda", "nvToolsExt", "nvtx3", "nvidia-ml"};
  return std::ranges::find(of_run_time, name) != of_run_time.end() || standing_for(name) == "empty";
}

bool is_vendor_library_file(const std::string& path) {
  return is_vendor_library(library_name(path));
}

std::string library_of_ours(std::string_view name) {
  const std::string ours = standing_for(name);
  return ours.empty() || ours == "empty" ? "" : "gridspan_" + ours;
}

std::string library_file_of_ours(const std::string& path) {
  return library_of_ours(library_name(path));
}

namespace {

/// NVIDIA's run time lies beside its libraries, ours is elsewhere; pip has a folder for each
/// library.
bool is_of_sdk(const fs::path& library) {
  std::error_code error;
  fs::path folder = fs::canonical(library, error).parent_path();
  if (folder.filename() == "stubs") folder = folder.parent_path();
  if (folder.empty() || fs::exists(folder / "libgridspan.so", error)) return false;
  return fs::exists(folder / "libcudart.so", error) ||
         fs::exists(folder / "libcudart_static.a", error) ||
         folder.string().find("/nvidia/") != std::string::npos;
}

class SdkLibraries {
 public:
  std::optional<std::string> find(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i];
      if (word == "-L" && i + 1 < words.size())
        folders_.push_back(words[++i]);
      else if (word.starts_with("-L"))
        folders_.emplace_back(word.substr(2));
    }
    if (const char* paths = std::getenv("LIBRARY_PATH")) {
      std::istringstream list(paths);
      for (std::string folder; std::getline(list, folder, ':');) folders_.emplace_back(folder);
    }
    // What the linker searches unasked is no SDK's, or its libraries are linked into there.
    for (const char* folder : {"/usr/local/lib", "/lib", "/usr/lib"}) {
      folders_.emplace_back(folder);
      folders_.emplace_back(std::string(folder) + "64");
      add_folders_of_machines(folder);
    }
    for (const std::string& word : words) {
      const bool is_name = word.starts_with("-l");
      if (!is_lacking(is_name ? word.substr(2) : library_name(word))) continue;
      const fs::path path = is_name ? path_of(word.substr(2)) : fs::path(word);
      if (path.empty() && !searches_elsewhere(words))
        return word + ": Gridspan does not have this library of CUDA's";
      if (is_of_sdk(path))
        return path.string() +
               " is of an installed CUDA SDK, which knows nothing of Gridspan's run time; Gridspan "
               "does not have this library";
    }
    return std::nullopt;
  }

 private:
  /// "/usr/lib/x86_64-linux-gnu"
  void add_folders_of_machines(const char* folder) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (entry.path().filename().string().find("-linux-") != std::string::npos)
        folders_.push_back(entry.path());
  }

  /// The linker may know folders that nobody here does.
  static bool searches_elsewhere(const std::vector<std::string>& words) {
    return std::ranges::any_of(words, [](std::string_view word) {
      const bool is_to_linker =
          word.starts_with("-Wl,") &&
          (word.find(",-L") != word.npos || word.find(",--library-path") != word.npos);
      return is_to_linker || word == "-Xlinker" || word.starts_with("--sysroot") ||
             word.starts_with("-B");
    });
  }

  /// Where the linker finds it; empty: nowhere.
  fs::path path_of(const std::string& name) const {
    std::error_code error;
    for (const fs::path& folder : folders_)
      for (const char* ending : {".so", ".a"})
        if (const fs::path path = folder / ("lib" + name + ending); fs::exists(path, error))
          return path;
    return {};
  }

  std::vector<fs::path> folders_;
};

}  // namespace

std::optional<std::string> library_that_lacks(const std::vector<std::string>& words) {
  return SdkLibraries().find(words);
}

}  // namespace gridspan::driver
