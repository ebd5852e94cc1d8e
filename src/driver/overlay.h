// Source files that clang must see in another spelling than they have on disk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc accepts a launch written `kernel << < grid, block >> > (…)`; clang takes `<<<` for one token
// only. Such files are respelled, keeping every line and column, and handed to clang through its
// virtual file system under their own names: diagnostics, `#include "neighbour.h"`, `__FILE__` and
// dependency files all name what the user wrote.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::driver {

struct Overlay {
  struct File {
    std::string path;  // absolute
    std::string text;
  };
  std::vector<File> files;
  std::string directory;  // where the description and the texts are written

  bool contains(const std::string& path) const;
  /// What clang sees of the file, which may be on disk only.
  support::Result<std::string> text_of(const std::string& path) const;
  /// From now on clang sees `text` there.
  void set(const std::string& path, std::string text);
  /// Respells the file if it needs that; false if it does not, cannot be read or is in already.
  bool add_if_needed(const std::string& path);
  /// File to name after -ivfsoverlay.
  std::string description_path() const { return directory + "/overlay.yaml"; }
  /// Writes texts and description into `directory`, which is created.
  support::Result<void> write() const;
};

}  // namespace gridspan::driver
