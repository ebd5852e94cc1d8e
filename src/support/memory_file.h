// A file in memory, to hand to another process or to the loader.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

namespace gridspan::support {

/// Kept open if it is loaded: the loader knows libraries by their path, and /proc/self/fd/N must
/// not come to mean another one.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }
  void keep_open() { descriptor_ = -1; }
  bool write(const void* bytes, std::size_t size) const {
    const auto* at = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, at, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      at += written;
      size -= static_cast<std::size_t>(written);
    }
    return true;
  }
  /// At most its first 64 KiB.
  std::string read() const {
    std::string text(64 << 10, '\0');
    const ssize_t size = pread(descriptor_, text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  int descriptor_;
};

}  // namespace gridspan::support
