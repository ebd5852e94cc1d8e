// A folder of files that can be made again: what compilers made, for later processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each file ends with a seal: the length and hash of what is before, which is one of the file's
// name and the format's version, too. Files appear under their names as a whole; one with a broken
// seal, or that of another file or version, counts as missing and is replaced. Any number of
// processes may use a folder at once.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <utility>

namespace gridspan::support {

class SealedFiles {
 public:
  /// The folder need not be there, but must be ours alone if it is. Files take at most `limit`
  /// bytes together.
  SealedFiles(std::string root, std::uint64_t version, std::uint64_t limit)
      : root_(std::move(root)), version_(version), limit_(limit) {}

  const std::string& root() const { return root_; }
  /// `name`: may have folders in front.
  std::string path(const std::string& name) const { return root_ + "/" + name; }

  /// What is before the seal. Fails if the file is missing or broken. It counts as used.
  Result<std::string> read(const std::string& name) const;

  /// Seals `content` and gives it its place; then the least used make room.
  Result<void> store(const std::string& name, const std::string& content) const;

  /// A file under a name that nobody else uses, in the folder. Whoever asked removes it.
  Result<std::string> make_temporary() const;

 private:
  void make_room() const;

  std::string root_;
  std::uint64_t version_, limit_;
};

}  // namespace gridspan::support
