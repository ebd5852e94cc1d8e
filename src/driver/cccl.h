// Which copy of CCCL (Thrust, CUB, libcu++) programs are compiled with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::driver {

/// Where its headers are: one folder for all, or one for each of the three.
struct Cccl {
  std::vector<std::string> folders;  // empty: those that compilers find unasked, Debian's
  std::string found_by;              // an option, a variable, a package
};

/// The first of: `choice` (--cccl), $GRIDSPAN_CCCL, cccl/ among our headers, the package cuda-cccl
/// of the Python environment that is active. A choice is a folder of headers, a checkout, or a
/// package. Fails if a folder that was chosen has no CCCL.
support::Result<Cccl> find_cccl(const std::string& choice, const std::string& include_directory);

/// -I and the folders: behind those that the user names, before our own parts of cuda/. CCCL's
/// headers say themselves that they are a system's.
std::vector<std::string> cccl_words(const Cccl& cccl);
/// What --print-cccl prints: folders, one a line, and the version.
std::string cccl_text(const Cccl& cccl);

}  // namespace gridspan::driver
