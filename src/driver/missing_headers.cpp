// Headers that programs expect of a CUDA toolkit, and where they come from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/missing_headers.h"

#include <algorithm>
#include <array>

namespace gridspan::driver {
namespace {

struct Expected {
  std::string_view prefix;  // of the header's name
  std::string_view note;
};

constexpr std::string_view open_libraries =
    "CUB and Thrust are open source: install Debian's libcub-dev and libthrust-dev, or name a "
    "copy of CCCL (--cccl=DIR)";
constexpr std::string_view library_is_missing =
    "this header belongs to a CUDA library that Gridspan does not have";

constexpr std::array<Expected, 19> expected = {{
    {"thrust/", open_libraries},
    {"cub/", open_libraries},
    {"cuda/std/", "CUDA's C++ standard library is open source: name a copy of CCCL (--cccl=DIR)"},
    {"cublas", library_is_missing},
    {"cudnn", library_is_missing},
    {"cudss", library_is_missing},
    {"cufile", library_is_missing},
    {"cufft", library_is_missing},
    {"curand_mtgp32",
     "Gridspan has no MTGP32 for kernels: use another generator of curand_kernel.h"},
    {"curand", library_is_missing},
    {"cusolver", library_is_missing},
    {"cusparse", library_is_missing},
    {"cutensor", library_is_missing},
    {"cupti", library_is_missing},
    {"nccl", library_is_missing},
    {"npp", library_is_missing},
    {"nvjpeg", library_is_missing},
    {"nvJitLink", library_is_missing},
    {"nvshmem", library_is_missing},
}};

}  // namespace

std::string missing_header_note(std::string_view message) {
  constexpr std::string_view ending = "' file not found";
  const std::size_t end = message.find(ending);
  if (end == std::string_view::npos || end == 0) return "";
  const std::size_t quote = message.rfind('\'', end - 1);
  if (quote == std::string_view::npos) return "";
  const std::string_view name = message.substr(quote + 1, end - quote - 1);
  const auto found = std::ranges::find_if(
      expected, [&](const Expected& one) { return name.starts_with(one.prefix); });
  return found == expected.end() ? "" : "note: " + std::string(found->note) + "\n";
}

}  // namespace gridspan::driver
