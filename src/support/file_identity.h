// A program or library on disk, told from what an update puts in its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace gridspan::support {

/// Its path, size and time. The path alone if there is no such file.
std::string file_identity(const std::string& path);

}  // namespace gridspan::support
