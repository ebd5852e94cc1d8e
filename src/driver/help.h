// --help, --version and the like.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace gridspan::driver {

std::string help_text();
std::string version_text();
std::string architectures_text(const std::string& prefix);

}  // namespace gridspan::driver
