// A file of its own for a test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gridspan::tests {

class TemporaryFile {
 public:
  TemporaryFile() : name_((std::filesystem::temp_directory_path() / "record-XXXXXX").string()) {
    close(mkstemp(name_.data()));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(name_); }

  const std::string& name() const { return name_; }
  std::string read() const {
    std::ifstream file(name_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream(name_, std::ios::binary | std::ios::trunc) << bytes;
  }

 private:
  std::string name_;
};

/// A file in memory, for tests that write thousands.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("record", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  std::string name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  void write(const std::string& bytes) const {
    const bool written =
        ftruncate(descriptor_, 0) == 0 &&
        pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    if (!written) std::abort();
  }

 private:
  int descriptor_;
};

}  // namespace gridspan::tests
