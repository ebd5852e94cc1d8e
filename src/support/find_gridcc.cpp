// Looks at the places in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/find_gridcc.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace gridspan::support {
namespace {

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

std::string in_path() {
  const char* variable = std::getenv("PATH");
  for (std::string_view path = variable ? variable : ""; !path.empty();) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const std::string candidate = std::string(path.substr(0, end)) + "/gridcc";
    if (is_program(candidate)) return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

}  // namespace

Result<std::string> own_gridcc(const void* address) {
  Dl_info info{};
  char path[PATH_MAX];
  if (dladdr(address, &info) == 0 || realpath(info.dli_fname, path) == nullptr)
    return fail("cannot find out where Gridspan's library is");
  const std::string library = path;
  const std::string folder = library.substr(0, library.rfind('/'));
  std::string gridcc = folder.substr(0, folder.rfind('/')) + "/bin/gridcc";
  if (is_program(gridcc)) return gridcc;
  return fail("there is no gridcc for " + library + " (looked for " + gridcc + ")");
}

Result<std::string> find_gridcc(const void* address) {
  if (const char* chosen = std::getenv("GRIDSPAN_GRIDCC"); chosen && *chosen) {
    if (is_program(chosen)) return chosen;
    return fail("GRIDSPAN_GRIDCC=" + std::string(chosen) + ": no such program");
  }
  auto own = own_gridcc(address);
  if (own) return own;
  if (std::string found = in_path(); !found.empty()) return found;
  return fail(own.error().message + ", and none in PATH; GRIDSPAN_GRIDCC may name one");
}

}  // namespace gridspan::support
