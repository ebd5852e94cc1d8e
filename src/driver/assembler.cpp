// Where ptxas may be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/assembler.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <cstdlib>

namespace gridspan::driver {

std::string find_assembler(const std::string& named) {
  if (named == "none") return {};
  if (!named.empty()) return named;
  if (const auto found = llvm::sys::findProgramByName("ptxas")) return *found;
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* const folder = std::getenv(variable);
    if (folder == nullptr || *folder == 0) continue;
    const std::string path = std::string(folder) + "/bin/ptxas";
    if (llvm::sys::fs::can_execute(path)) return path;
  }
  const std::string usual = "/usr/local/cuda/bin/ptxas";
  return llvm::sys::fs::can_execute(usual) ? usual : std::string();
}

}  // namespace gridspan::driver
