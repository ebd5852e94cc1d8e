// The sections with containers of object files, archives, libraries and programs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::tools {

/// What one ELF file (or one member of an archive) carries for us.
struct SectionContent {
  std::string origin;  // file name, or "archive(member)"
  std::string bytes;
};

/// Every section called `name` in the file, in order; empty if there is none. Errors: the file
/// cannot be read, or is neither ELF nor an archive.
support::Result<std::vector<SectionContent>> read_sections(const std::string& path,
                                                           const std::string& name);

}  // namespace gridspan::tools
