// Paths of modules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay_libraries.h"

#include "runtime/record/log_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

namespace gridspan::tools {
namespace {

using namespace runtime::record;

/// The name other processes open it by; it stays open.
support::Result<std::string> file_in_memory(std::string_view bytes) {
  const int file = memfd_create("gridspan-replay", MFD_CLOEXEC);
  while (file >= 0 && !bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file < 0 || !bytes.empty()) {
    return support::fail("no room for a file in memory: " + std::string(std::strerror(errno)));
  }
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
}

}  // namespace

support::Result<std::vector<std::string>> kernel_files(const std::string& file,
                                                       const Recording& recording,
                                                       const std::string& program) {
  std::vector<std::string> files;
  for (const ModuleNote& module : recording.modules) {
    files.push_back(module.file == recording.header.program ? program : module.file);
  }
  if (recording.libraries.empty()) return files;
  auto reader = LogReader::open(file);
  if (!reader) return support::fail(reader.error());
  for (const auto& [module, library] : recording.libraries) {
    auto bytes = reader->bytes(library);
    if (!bytes) return support::fail(bytes.error());
    auto made = file_in_memory(*bytes);
    if (!made) return support::fail(made.error());
    files[module] = *made;
  }
  return files;
}

}  // namespace gridspan::tools
