// The form is nvcc's, so that what reads nvcc's tables reads ours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/time_table.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace gridspan::driver {

support::Result<void> TimeTable::append_to(const std::string& path) const {
  const bool is_output = path == "-";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(
      is_output ? nullptr : std::fopen(path.c_str(), "a"), &std::fclose);
  if (!is_output && !opened)
    return support::fail("cannot write '" + path + "': " + std::strerror(errno));
  std::FILE* file = is_output ? stdout : opened.get();
  if (is_output || std::ftell(file) == 0)
    std::fputs(
        "source file name , phase name , phase input files , phase output file , arch , tool, "
        "metric , unit\n",
        file);
  for (const Phase& phase : phases_)
    std::fprintf(file, "%s , %s , %s , %s , %s , gridcc , %.4f , ms\n", phase.source.c_str(),
                 phase.name.c_str(), phase.input.c_str(), phase.output.c_str(),
                 phase.architecture.c_str(), phase.time.count());
  if (std::fflush(file) != 0 || std::ferror(file) != 0)
    return support::fail("cannot write '" + path + "': " + std::strerror(errno));
  return {};
}

}  // namespace gridspan::driver
