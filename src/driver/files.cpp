// Whole files in and out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/files.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace gridspan::driver {

support::Result<std::string> read_file(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, false, false);
  if (buffer) return (*buffer)->getBuffer().str();
  return support::fail(path + ": " + buffer.getError().message());
}

support::Result<void> write_file(const std::string& path, std::string_view content) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) {
    out << content;
    out.close();
    error = out.error();
  }
  out.clear_error();
  if (error) return support::fail(path + ": " + error.message());
  return {};
}

}  // namespace gridspan::driver
