// Reads what Linux says of the process's memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/host_memory.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace gridspan::runtime::check {

std::string host_memory_at(std::uintptr_t address) {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return {};
  std::string found;
  char line[4608];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    std::uintptr_t begin = 0, end = 0;
    int name = 0;
    char access[8] = {};
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %7s %*s %*s %*s %n", &begin, &end, access,
                    &name) < 3)
      continue;
    if (address - begin >= end - begin) continue;
    if (access[0] != 'r') break;
    line[std::strcspn(line, "\n")] = '\0';
    const std::string file = name > 0 ? line + name : "";
    if (file == "[stack]")
      found = "in host memory (the stack)";
    else if (file == "[heap]")
      found = "in host memory (the heap)";
    else if (file.starts_with("/"))
      found = "in host memory (of " + file + ")";
    else
      found = "in no device memory";
    break;
  }
  std::fclose(maps);
  return found;
}

}  // namespace gridspan::runtime::check
