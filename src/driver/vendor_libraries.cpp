// The libraries our run time stands for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/vendor_libraries.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace gridspan::driver {

bool is_vendor_library(std::string_view name) {
  static constexpr std::array<std::string_view, 7> names = {
      "cudart", "cudart_static", "cuda", "cudadevrt", "nvToolsExt", "nvtx3", "nvidia-ml"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_vendor_library_file(const std::string& path) {
  std::string name = std::filesystem::path(path).filename();
  if (!name.starts_with("lib")) return false;
  std::size_t end = std::min(name.find(".so"), name.find(".a"));
  return end != std::string::npos && is_vendor_library(name.substr(3, end - 3));
}

}  // namespace gridspan::driver
