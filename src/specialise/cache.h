// Specialised kernels on disk, for this process and later ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     ROOT/<module>/<kernel>/block=256x1x1,arg2=400.so
//
// <module> stands for all that a build depends on but the kernel and its condition; a file's name
// says for which launches it is. A file is a shared object, or a line that says why there is none,
// and a seal (support/sealed_files.h).
#pragma once

#include "support/launch_condition.h"
#include "support/result.h"
#include "support/sealed_files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::specialise {

/// What says "no" instead of a shared object.
inline constexpr std::string_view refusal_mark = "not specialised: ";

class Cache {
 public:
  /// Uses the folder, which need not be there, but must be ours alone if it is. Entries take at
  /// most `limit` bytes together.
  explicit Cache(std::string root, std::uint64_t limit = default_limit);
  static constexpr std::uint64_t default_limit = 256u << 20;

  /// The conditions for which there are files, whatever they hold.
  std::vector<support::LaunchCondition> find(const std::string& module,
                                             const std::string& kernel) const;

  /// Whether there is a file, whatever it holds.
  bool has(const std::string& module, const std::string& kernel,
           const support::LaunchCondition& condition) const;
  /// Whether there may be files of the module.
  bool has_any(const std::string& module) const;

  struct Entry {
    std::string path;     // of the shared object; empty: there is none, because
    std::string refusal;  // of this
  };
  /// Fails if the file is missing or broken. It counts as used.
  support::Result<Entry> open(const std::string& module, const std::string& kernel,
                              const support::LaunchCondition& condition) const;

  /// A file under a name that nobody else uses, in the cache's folder. Whoever asked removes it.
  support::Result<std::string> make_temporary() const;

  /// Seals `content` and gives it its place; then the least used make room.
  support::Result<void> store(const std::string& module, const std::string& kernel,
                              const support::LaunchCondition& condition,
                              const std::string& content);

 private:
  support::SealedFiles files_;
};

}  // namespace gridspan::specialise
