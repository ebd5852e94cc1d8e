// By what the file system says of it; its content may be large.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/file_identity.h"

#include <sys/stat.h>

namespace gridspan::support {

std::string file_identity(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return path;
  return path + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) +
         "." + std::to_string(status.st_mtim.tv_nsec);
}

}  // namespace gridspan::support
