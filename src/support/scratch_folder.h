// The files of one compilation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace gridspan::support {

/// A fresh folder under $TMPDIR or /tmp, removed with all that is in it.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make();
  /// Under a name that stands for the text, so that what compilers note of it is the same next
  /// time; under another one where somebody has that folder.
  static Result<ScratchFolder> make_for(std::string_view text);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  std::string path(std::string_view name) const { return path_ + "/" + std::string(name); }
  /// Writes a file in a folder of this one. Its name may have folders in front, too, but must not
  /// lead out of that.
  Result<void> write(std::string_view folder, std::string_view name,
                     std::string_view content) const;

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;  // empty: moved away
};

/// The whole file; empty if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace gridspan::support
