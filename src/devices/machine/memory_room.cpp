// The least of what the machine and the control group have left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/memory_room.h"

#include "devices/machine/files.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace gridspan::devices::machine {
namespace {

constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();

/// The number behind a word at the beginning of a line; 0 without one.
std::uint64_t number_of(const std::string& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(word)) return std::strtoull(line.c_str() + word.size(), nullptr, 10);
  return 0;
}

/// Of one generation of control groups. Pages of files can be given up.
std::uint64_t group_room(const std::string& folder, const char* limit_name, const char* used_name,
                         const char* files_word) {
  const std::uint64_t limit =
      std::strtoull(first_line(folder + limit_name).c_str(), nullptr, 10);  // "max" reads as 0
  if (limit == 0) return all;
  const std::uint64_t used = std::strtoull(first_line(folder + used_name).c_str(), nullptr, 10);
  const std::uint64_t of_files = number_of(folder + "/memory.stat", files_word);
  return limit - std::min(limit, used - std::min(used, of_files));
}

}  // namespace

std::uint64_t memory_room(const std::string& root) {
  const std::uint64_t kilobytes = number_of(root + "/proc/meminfo", "MemAvailable: ");
  const std::uint64_t of_machine = kilobytes == 0 ? all : kilobytes * 1024;
  const std::string groups = root + "/sys/fs/cgroup";
  return std::min({of_machine,
                   group_room(groups, "/memory.max", "/memory.current", "inactive_file "),
                   group_room(groups + "/memory", "/memory.limit_in_bytes",
                              "/memory.usage_in_bytes", "total_inactive_file ")});
}

}  // namespace gridspan::devices::machine
