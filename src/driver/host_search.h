// Where the host's compiler looks for headers and libraries by itself, for build systems that ask
// gridcc -v. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/installation.h"
#include "driver/invocation.h"

#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

struct HostSearch {
  std::string
      headers;  // the compiler's own list, from "#include ..." to "End of search list.", or empty
  std::string libraries;  // its -L and -l words for the linker, each with a blank before it
};

/// Asks the compiler that links programs; takes two short runs of it. What it does not tell is
/// empty. `workspace` is a directory for a file in between.
HostSearch ask_host_compiler(const Invocation& invocation, const Installation& installation,
                             const std::string& workspace);

/// What -ccbin's compiler adds by itself to a command, as MPI's mpicxx does, in words of a compiler
/// driver. CUDA sources are compiled by clang, which must be told.
struct HostCompilerWords {
  std::vector<std::string> headers;    // -I, -isystem, -D and their like
  std::vector<std::string> libraries;  // -L, -l, -Wl,-rpath
};

/// Takes one short run of the compiler; nothing of a compiler that does not know -###.
HostCompilerWords words_of_host_compiler(const Invocation& invocation);

/// The same from the compiler's answer to -###.
HostCompilerWords added_words_in(std::string_view answer);

/// The parts of the compiler's answers (-v, -###) that are of interest.
std::string header_list_in(std::string_view answer);
std::string library_words_in(std::string_view answer);

}  // namespace gridspan::driver
