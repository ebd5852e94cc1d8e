// Options of nvrtcCompileProgram, as gridcc takes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace gridspan::nvrtc {

struct Options {
  std::vector<std::string> words;  // for gridcc
  std::string macros;           // #define and #undef, for behind the headers that every program has
  bool default_device = false;  // functions without a mark are __device__
  bool includes_own_folder = true;  // quoted headers are looked for beside the source
};

/// What gridcc does not know, it will name itself.
Options translate(int count, const char* const* options);

}  // namespace gridspan::nvrtc
